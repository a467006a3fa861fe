import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { until } from "../kit/daemon.ts";
import { aDashboard } from "../kit/live-client.ts";
import { tokenOf } from "../kit/people.ts";
import { twoServers } from "../kit/postgres/two-servers.ts";
import { sharedByTests } from "../kit/when-done.ts";

const CONFIG = `
server:
  trustedProxies: [127.0.0.1]
agent:
  runner: rehearsal
auth:
  users:
    - id: aoi
      role: admin
      tokenHash: ${createHash("sha256").update(tokenOf("aoi")).digest("hex")}
    - id: ben
      role: operator
      tokenHash: ${createHash("sha256").update(tokenOf("ben")).digest("hex")}
`;

/** Each test is another client, with an address of its own. */
const bothServers = sharedByTests(() => twoServers(CONFIG));

const JSON_HEADERS = { "x-kuromajutsu": "1", "content-type": "application/json" };

async function login(url: string, token: string, from = "203.0.113.1"): Promise<Response> {
  return fetch(`${url}/api/login`, {
    method: "POST",
    headers: { ...JSON_HEADERS, "x-forwarded-for": from },
    body: JSON.stringify({ token }),
  });
}

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await login(url, tokenOf("aoi"));
  const { sessionKey } = z.object({ sessionKey: z.string() }).parse(await response.json());
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  return { cookie, "x-kuromajutsu-session": sessionKey };
}

test("a person who signs in at one server is known at the other, and signing out ends both and the open dashboards", async () => {
  const { a, b } = await bothServers();
  const session = await signIn(a.url);
  const me = () => fetch(`${b.url}/api/me`, { headers: session });
  expect((await me()).status).toBe(200);
  const dashboard = await aDashboard(b.url, {}, { headers: session });
  await dashboard.frame("snapshot");

  const since = performance.now();
  await fetch(`${a.url}/api/logout`, { method: "POST", headers: { ...JSON_HEADERS, ...session } });
  await until(() => dashboard.closed());

  expect(performance.now() - since).toBeLessThan(5_000);
  expect((await me()).status).toBe(401);
});

test("wrong tokens of one client are counted by all servers together, by its address behind the proxy", async () => {
  const { a, b } = await bothServers();
  const statuses: number[] = [];

  for (let n = 0; n < 12; n++) {
    const { url } = n % 2 === 0 ? a : b;
    statuses.push((await login(url, `kmj_wrong-${n}`, "203.0.113.3")).status);
  }

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  expect((await login(b.url, "kmj_wrong", "203.0.113.2")).status).toBe(401);
  expect((await login(b.url, tokenOf("ben"), "203.0.113.3")).status).toBe(200);
});

const MCP_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

test("a session of an older MCP client goes on at another server, and ends at all of them", async () => {
  const { a, b } = await bothServers();
  let id = "";
  const send = (url: string, person: string, message: object | undefined) =>
    fetch(`${url}/mcp`, {
      method: message ? "POST" : "DELETE",
      headers: {
        ...MCP_HEADERS,
        authorization: `Bearer ${tokenOf(person)}`,
        ...(id !== "" && { "mcp-session-id": id }),
      },
      ...(message && { body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }) }),
    });
  const list = { method: "tools/list" };
  const clientInfo = { name: "claude-code", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const hello = await send(a.url, "aoi", { method: "initialize", params });
  id = hello.headers.get("mcp-session-id") ?? "";

  const there = await send(b.url, "aoi", list);
  expect(there.status).toBe(200);
  expect(await there.text()).toContain("run_agents");
  expect((await send(b.url, "ben", list)).status).toBe(404);

  expect((await send(a.url, "aoi", undefined)).status).toBe(200);
  expect((await send(b.url, "aoi", list)).status).toBe(404);
  expect((await send(a.url, "aoi", list)).status).toBe(404);
});
