import { rmSync, existsSync } from "node:fs";
import { createServer, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  aStdioClient,
  command,
  readDaemonFile,
  run,
  until,
} from "../kit/daemon.ts";
import { sharedByTests } from "../kit/when-done.ts";

/** For tests that leave no client behind and change nothing that others see. */
const theDaemon = sharedByTests(async () => {
  const place = aPlace();
  return { place, daemon: await aDaemon(place) };
});

/** fetch() always sets the right Host; a hostile client does not. */
function get(
  url: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (answer) => {
      let body = "";
      answer.on("data", (chunk) => (body += String(chunk)));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

function head(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { headers }, (answer) => resolve(answer.resume()));
    sent.on("error", reject);
    sent.end();
  });
}

test.each([
  ["the page", "/", "127.0.0.1"],
  ["an answer", "/api/health", "127.0.0.1"],
  ["an unknown path", "/api/nothing", "127.0.0.1"],
  ["a refusal at the door", "/", "evil.example"],
  ["MCP", "/mcp", "127.0.0.1"],
])(
  "the headers of %s forbid sniffing, caching, embedding by other origins and referrers",
  async (_, path, host) => {
    const { daemon } = await theDaemon();

    const { headers } = await head(`${daemon.url}${path}`, { host });

    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
  },
);

test("the dashboard is served with a strict content security policy that allows only the daemon", async () => {
  const { daemon } = await theDaemon();

  const page = await fetch(daemon.url);
  const health = await fetch(`${daemon.url}/api/health`);

  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(page.headers.get("cache-control")).toBe("no-store");
  const html = await page.text();
  const nonce = /property="csp-nonce" content="([\w-]+)"/.exec(html)?.[1];
  expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
  const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(addresses.every((address) => address?.startsWith("/"))).toBe(true);
  const script = await fetch(
    `${daemon.url}${addresses.find((each) => /^\/assets\/.*\.js$/.test(each ?? ""))}`,
  );
  expect(script.headers.get("cache-control")).toContain("immutable");
  expect(script.headers.get("content-type")).toContain("javascript");
  expect(await health.json()).toMatchObject({ ok: true, pid: daemon.pid, url: daemon.url });
  expect((await fetch(`${daemon.url}/assets/no.js`)).status).toBe(404);
  expect((await fetch(`${daemon.url}/..%2f..%2fpackage.json`)).status).toBe(404);
  expect((await fetch(`${daemon.url}/../../etc/passwd`)).status).toBe(404);
});

test.each([
  ["a foreign host", { host: "evil.example" }],
  ["a foreign host with our port", { host: "evil.example:9696" }],
  ["a foreign origin", { origin: "https://evil.example" }],
  ["an origin that is no address", { origin: "null" }],
])("a request with %s is refused on every path", async (_what, headers) => {
  const { daemon } = await theDaemon();

  for (const path of ["/", "/api/health", "/mcp"]) {
    expect((await get(`${daemon.url}${path}`, headers)).status).toBe(403);
    expect((await get(`${daemon.url}${path}`, headers, "POST")).status).toBe(403);
  }
});

test("the daemon listens on loopback addresses only", async () => {
  const place = aPlace({ KUROMAJUTSU_BIND: "0.0.0.0" });

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toContain("KUROMAJUTSU_BIND");
});

async function takenPort(): Promise<number> {
  const server = createServer((_request, response) => response.end("mine"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close());
  return z.object({ port: z.number() }).parse(server.address()).port;
}

test("an explicit port that is taken is an error that names the process holding it", async () => {
  const port = await takenPort();

  for (const [place, args] of [
    [aPlace({ KUROMAJUTSU_PORT: String(port) }), ["serve"]],
    [aPlace(), ["serve", "--port", String(port)]],
  ] as const) {
    const { code, stderr } = await command(place, args);
    expect(code).toBe(1);
    expect(stderr).toContain(`127.0.0.1 のポート ${port} は`);
    expect(stderr).toContain(`pid ${process.pid}`);
  }
});

test("a stdio client learns that an explicit port is taken, and nothing it sends is acknowledged", async () => {
  const port = await takenPort();
  const place = aPlace({ KUROMAJUTSU_PORT: String(port) });
  const shim = run(place, ["mcp"]);
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const messages = [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "create_group", arguments: {} } },
  ];

  for (const each of messages)
    shim.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`);
  shim.stdin?.end();
  const said = shim.stdout ? await text(shim.stdout) : "";

  const answers = said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const error = { message: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken by`) };
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 1, error: expect.objectContaining(error) },
    { jsonrpc: "2.0", id: 2, error: expect.objectContaining(error) },
  ]);
});

test("a taken default port is skipped, and the socket for stdio is open as well", async () => {
  const port = await takenPort();
  const place = aPlace({ KUROMAJUTSU_PORT: "" });
  const { writeFileSync } = await import("node:fs");
  writeFileSync(`${place.dir}/kuromajutsu.config.yaml`, `dashboard:\n  port: ${port}\n`);

  const daemon = await aDaemon(place);
  const client = await aStdioClient(place);

  expect(Number(new URL(daemon.url).port)).toBeGreaterThan(port);
  expect(readDaemonFile(place)?.url).toBe(daemon.url);
  expect(await client.call("list_roles")).toHaveProperty("roles");
});

test("a second daemon on the same data directory is refused with the address of the first", async () => {
  const { place, daemon } = await theDaemon();

  const { code, stderr } = await command(place, ["serve"]);

  expect(code).toBe(1);
  expect(stderr).toContain(`pid ${daemon.pid}`);
  expect(stderr).toContain(daemon.url);
});

test("a deleted socket file is created again", async () => {
  const { place, daemon } = await theDaemon();
  const before = await aStdioClient(place);

  rmSync(daemon.socketPath);
  await until(() => existsSync(daemon.socketPath));

  const after = await aStdioClient(place);
  expect(await after.call("list_roles")).toHaveProperty("roles");
  expect(await before.call("list_roles")).toHaveProperty("roles");
  expect(readDaemonFile(place)?.pid).toBe(daemon.pid);
});

test("a message that is too large or not JSON is answered with an error, and the next one is served", async () => {
  const { daemon } = await theDaemon();
  const post = (body: string) =>
    fetch(`${daemon.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body,
    });

  expect((await post("{not json")).status).toBe(400);
  expect((await post(`"${"x".repeat(65 * 1024 * 1024)}"`)).status).toBe(413);

  const client = await anHttpClient(daemon.url);
  expect(await client.call("list_roles")).toHaveProperty("roles");
});

test("a refused handshake leaves no client behind, and an ended session stays ended", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const clients = async () =>
    z.object({ clients: z.number() }).parse(await (await fetch(`${daemon.url}/api/health`)).json())
      .clients;
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const post = (headers: Record<string, string>) =>
    fetch(`${daemon.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });

  expect((await post({ accept: "text/plain" })).status).toBe(406);
  expect(await clients()).toBe(0);

  const opened = await post({ accept: "application/json, text/event-stream" });
  await opened.text();
  expect(await clients()).toBe(1);
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  await fetch(`${daemon.url}/mcp`, { method: "DELETE", headers: session });
  expect(await clients()).toBe(0);
  const late = await post({ accept: "application/json, text/event-stream", ...session });
  expect(late.status).toBe(404);
});

test("HTTP clients that disconnect silently do not accumulate, and a dropped one is served again", async () => {
  const place = aPlace();
  const daemon = await aDaemon(place);
  const first = await anHttpClient(daemon.url);
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  for (let n = 0; n < 230; n++) {
    const opened = await fetch(`${daemon.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    await opened.text();
  }

  const health: unknown = await (await fetch(`${daemon.url}/api/health`)).json();
  expect(z.object({ clients: z.number() }).parse(health).clients).toBeLessThanOrEqual(200);
  expect(await first.call("list_roles")).toHaveProperty("roles");
});
