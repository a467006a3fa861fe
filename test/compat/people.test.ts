import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { until } from "../kit/daemon.ts";
import { aRecordedClient, aWorld, idIn, overHttp, overStdio, type Json } from "./world.ts";

const PEOPLE = ["viewer", "operator", "admin"].map((role) => ({
  id: role,
  role,
  token: `kmj_${role}`,
}));
const users = PEOPLE.map(({ id, role, token }) => ({
  id,
  name: `利用者 ${id}`,
  role,
  tokenHash: createHash("sha256").update(token).digest("hex"),
}));
const bearer = (id: string) => ({ authorization: `Bearer kmj_${id}` });

test("people sign in, and each is allowed over REST what was recorded", async () => {
  const world = await aWorld("people-rest", {
    auth: { users },
    mcpServers: {},
    tasks: {
      approvals: { prompt: { quorum: 2 }, process: "not-requester" },
      approvalExpiry_ms: 3_600_000,
    },
  });
  const { ask, recorder } = world;
  for (const path of ["/api/me", "/api/health", "/api/tasks", "/api/openapi.json"]) {
    const { status, type } = await world.send("GET", path);
    recorder.add(`not signed in: GET ${path}`, { status, type });
  }
  await ask("GET", "/api/me");
  await ask("GET", "/api/me", { headers: bearer("nobody") });
  await ask("POST", "/api/login", { body: { token: "wrong" } });
  await ask("POST", "/api/login", { body: { token: "kmj_admin" } });
  const login = await world.send("POST", "/api/login", { body: { token: "kmj_admin" } });
  const cookie = login.headers.get("set-cookie") ?? "";
  recorder.add(
    "attributes of the cookie",
    cookie
      .replace(/-\w+=[^;]+/, "-…=…")
      .split("; ")
      .toSorted(),
  );
  const headers = {
    cookie: cookie.split(";")[0] ?? "",
    "x-kuromajutsu-session": idIn(sessionOf(login.body), "sessionKey"),
  };
  await ask("GET", "/api/me", { headers });
  await ask("POST", "/api/logout", { headers });
  await ask("GET", "/api/me", { headers });

  for (const { id } of PEOPLE) {
    const as = bearer(id);
    await ask("GET", "/api/me", { headers: as });
    await ask("GET", "/api/settings", { headers: as });
    await ask("POST", "/api/groups", { headers: as, body: { description: "互換" } });
    await ask("PUT", "/api/roles/research", { headers: as, body: { model: id } });
  }
  const created = await ask("POST", "/api/tasks", {
    headers: bearer("operator"),
    body: { text: "互換" },
  });
  const approval = `/api/approvals/${await pending(world, "prompt")}`;
  const body = { decision: "approve", version: 1 };
  for (const id of ["viewer", "operator", "operator"]) {
    await ask("POST", `${approval}/decision`, { headers: bearer(id), body });
  }
  const admin = { headers: bearer("admin") };
  const voted = await ask("GET", approval, admin);
  const more = { version: voted["version"], expiresAt: "2099-01-01T00:00:00Z" };
  const { version } = await ask("POST", `${approval}/extend`, { ...admin, body: more });
  await ask("POST", `${approval}/decision`, { ...admin, body: { ...body, version } });
  const second = `/api/approvals/${await pending(world, "process")}`;
  await until(async () => {
    const { body: running } = await world.send("GET", "/api/agents?status=running", admin);
    return JSON.stringify(running).includes('"total":0');
  });
  await ask("POST", `${second}/decision`, { headers: bearer("operator"), body });
  await ask("PATCH", `/api/tasks/${idIn(created, "taskId")}`, {
    headers: bearer("viewer"),
    body: { status: "cancelled" },
  });
  await ask("PATCH", `/api/tasks/${idIn(created, "taskId")}`, {
    headers: bearer("operator"),
    body: { status: "cancelled" },
  });
  await ask("GET", "/api/audit", { headers: bearer("admin") });
  expect(recorder.differences()).toEqual([]);
});

test("people and clients without a token are allowed over MCP what was recorded", async () => {
  const world = await aWorld("people-mcp", { auth: { users }, mcpServers: {} });
  const { recorder, place, url } = world;
  recorder.add("http without a token", await overHttp(url)("tools/list"));
  const clients = {
    nameless: overStdio(place),
    viewer: overHttp(url, bearer("viewer")),
    operator: overStdio(place, { KUROMAJUTSU_TOKEN: "kmj_operator" }),
  };
  for (const [who, rpc] of Object.entries(clients)) {
    const client = await aRecordedClient(recorder, who, rpc);
    await client.list();
    await client.call("list_roles");
    await client.call("create_group", { description: "互換" });
    await client.call("list_approvals");
    await client.call("create_task", { request: "互換", workingDirectory: place.dir });
  }
  const approvalId = await pending(world, "prompt");
  const operator = await aRecordedClient(recorder, "operator", overHttp(url, bearer("operator")));
  await operator.call("list_approvals");
  const decision = { approvalId, decision: "approve", version: 1 };
  await operator.call("decide_approval", { ...decision, version: 9 });
  await operator.call("decide_approval", decision);
  await operator.call("decide_approval", decision);
  expect(recorder.differences()).toEqual([]);
});

async function pending(world: Awaited<ReturnType<typeof aWorld>>, kind: string): Promise<string> {
  return idIn(await world.approval(kind, { headers: bearer("admin") }), "approvalId");
}

function sessionOf(body: unknown): Json {
  return typeof body === "object" && body !== null ? { ...body } : {};
}
