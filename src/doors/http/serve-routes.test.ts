import { request } from "node:http";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerOf } from "../../../test/kit/call-own-tool.ts";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import { anHttpDoor } from "../../../test/kit/http-door.ts";
import { aRunningAgent } from "../../../test/kit/running-agent.ts";
import { LOCAL_USER } from "../../app/core.ts";
import { createGroup } from "../../app/groups/create-group.ts";
import { runAgents } from "../../app/groups/run-agents.ts";

const json = z.record(z.string(), z.unknown());

async function aRestDoor(core: TestCore) {
  const { url } = await anHttpDoor(core);
  async function call(method: string, path: string, body?: unknown, headers = {}) {
    const response = await fetch(url + path, {
      method,
      headers: {
        "x-kuromajutsu": "1",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: json.parse(await response.json()) };
  }
  return { url, call };
}

async function aSettledAgent(core: TestCore, description = "認証機能") {
  const group = await createGroup(core, LOCAL_USER, {
    description,
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "挨拶を書いて", workingDirectory: "/", timeoutMs: null }],
  });
  if (!agent) throw new Error("no agent");
  await core.quiet();
  await core.observe(started(agent.id));
  core.advance(1_500);
  const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const progress = someProgress({ usage, createdFiles: ["/a.ts"] });
  await core.observe(ended(agent.id, { progress }));
  await core.quiet();
  return { group, agent };
}

test("groups are created, listed, shown and deleted over REST", async () => {
  const core = await aCore();
  const { call } = await aRestDoor(core);

  const made = await call("POST", "/api/groups", {
    description: "  レビュー  ",
    mode: "sequential",
  });
  expect(made).toMatchObject({
    status: 201,
    body: { description: "レビュー", mode: "sequential", status: "active" },
  });
  const path = `/api/groups/${String(made.body["groupId"])}`;
  expect(await call("GET", "/api/groups?view=active")).toMatchObject({
    status: 200,
    body: { groups: [{ groupId: made.body["groupId"] }], nextCursor: null },
  });
  expect(await call("GET", path)).toMatchObject({
    status: 200,
    body: { agents: [], totalAgents: 0, usage: [] },
  });
  expect(await call("DELETE", path)).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await call("DELETE", path)).toMatchObject({
    status: 409,
    body: { code: "GROUP_NOT_ACTIVE" },
  });
});

test("an agent can be followed from its card to its prompt, files, result, history and usage", async () => {
  const core = await aCore();
  const { call } = await aRestDoor(core);
  const { group, agent } = await aSettledAgent(core);

  expect(await call("GET", `/api/agents?groupId=${group.id}&status=completed`)).toMatchObject({
    body: { total: 1, agents: [{ agentId: agent.id, toolCallCount: 3, elapsed_ms: 1_500 }] },
  });
  expect(await call("GET", "/api/agents?status=running")).toMatchObject({ body: { total: 0 } });
  expect(await call("GET", `/api/agents/${agent.id}`)).toMatchObject({
    body: {
      prompt: "挨拶を書いて",
      status: "completed",
      progress: { createdFiles: ["/a.ts"], usage: { inputTokens: 10 } },
      result: { status: "success", duration_ms: 1_500 },
    },
  });
  expect(await call("GET", `/api/agents/${agent.id}/files`)).toMatchObject({
    body: { createdFiles: ["/a.ts"], editedFiles: [] },
  });
  expect(await call("GET", `/api/agents/${agent.id}/transcript?offset=0`)).toMatchObject({
    body: { agentId: agent.id, lines: [], size: 0 },
  });
  const entry = { agentId: agent.id, groupDescription: "認証機能", result: "success" };
  expect(await call("GET", "/api/history")).toMatchObject({ body: { entries: [entry] } });
  const day = "2026-11-15";
  expect(await call("GET", `/api/usage?from=${day}&until=${day}`)).toMatchObject({
    body: { from: day, until: day, rows: [{ day, role: "impl-code", inputTokens: 10 }] },
  });
  expect(await call("GET", `/api/notifications?agentId=${agent.id}`)).toMatchObject({
    status: 200,
    body: { notifications: [] },
  });
});

test("what a failed agent deleted, retried and spent, and why it failed, is in REST and MCP", async () => {
  const core = await aCore();
  core.installed.add("cursor");
  const { call } = await aRestDoor(core);
  const agentId = await aRunningAgent(core);
  const resetsAt = Date.UTC(2026, 10, 16);
  const failure = { kind: "quota", resetsAt } as const;
  const progress = someProgress({
    deletedFiles: ["/old.ts"],
    reportedModel: "sonnet-5",
    costUsd: 0.25,
    retries: { count: 2, inARow: 1, lastReason: "429", lastFailure: null },
    end: { ok: false, text: "", durationMs: 1, error: "No credit.", failure },
  });
  await core.observe(ended(agentId, { progress, exitCode: 1 }));

  const result = {
    deletedFiles: ["/old.ts"],
    reportedModel: "sonnet-5",
    failure: { kind: "quota", resetsAt: "2026-11-16T00:00:00.000Z" },
    retries: { count: 2, lastReason: "429" },
    spent: { cost: 0.25, currency: "USD" },
  };
  expect(await call("GET", `/api/agents/${agentId}`)).toMatchObject({
    body: {
      spent: result.spent,
      cost: { ...result.spent, reason: null },
      progress: { deletedFiles: ["/old.ts"], retries: result.retries },
      result,
    },
  });
  expect(await call("GET", `/api/agents/${agentId}/files`)).toMatchObject({
    body: { deletedFiles: ["/old.ts"] },
  });
  const day = "2026-11-15";
  expect(await call("GET", `/api/usage?from=${day}&until=${day}`)).toMatchObject({
    body: { rows: [{ reportedModel: "sonnet-5", costUsd: 0.25, ...result.spent }] },
  });
  expect(await answerOf(core, "get_agent_status", { agentId })).toMatchObject({ result });
  const chosen = { agentIds: [agentId], fields: ["usage"] };
  expect(await answerOf(core, "get_agent_status", chosen)).toMatchObject({
    agents: [{ result: { status: "failure", spent: result.spent } }],
  });
});

test("history is filtered by group, role, runner, status and time, sorted and paged", async () => {
  const core = await aCore();
  const { call } = await aRestDoor(core);
  const first = await aSettledAgent(core, "一つ目");
  core.advance(60_000);
  const second = await aSettledAgent(core, "二つ目");
  const ids = async (filter: string) => {
    const { body } = await call("GET", `/api/history?${filter}`);
    const page = z.object({ entries: z.array(z.object({ agentId: z.string() })) }).parse(body);
    return page.entries.map(({ agentId }) => agentId);
  };

  expect(await ids("")).toEqual([second.agent.id, first.agent.id]);
  expect(await ids(`groupId=${first.group.id}`)).toEqual([first.agent.id]);
  expect(await ids("role=code-review")).toEqual([]);
  expect(await ids(`runner=${first.agent.runner}`)).toEqual([second.agent.id, first.agent.id]);
  expect(await ids("runner=nobody")).toEqual([]);
  expect(await ids("order=asc")).toEqual([first.agent.id, second.agent.id]);
  expect(await ids("status=completed&limit=1")).toEqual([second.agent.id]);
  expect(await ids("from=2026-11-15T09:00:30Z")).toEqual([second.agent.id]);
  expect(await ids("until=2026-11-15T18:00:30%2B09:00")).toEqual([first.agent.id]);

  const page = await call("GET", "/api/history?limit=1");
  const cursor = encodeURIComponent(String(page.body["nextCursor"]));
  expect(await ids(`limit=1&cursor=${cursor}`)).toEqual([first.agent.id]);
  const oldest = await call("GET", "/api/history?limit=1&order=asc");
  const next = encodeURIComponent(String(oldest.body["nextCursor"]));
  expect(await ids(`limit=1&order=asc&cursor=${next}`)).toEqual([second.agent.id]);
});

test("an invalid request gets a problem that says why", async () => {
  const core = await aCore();
  const { url, call } = await aRestDoor(core);

  expect(await call("GET", "/api/agents?limit=0")).toMatchObject({
    status: 400,
    body: { code: "INVALID_ARGUMENTS", detail: expect.stringContaining("limit") },
  });
  for (const wrong of [
    "/api/agents?stauts=running",
    "/api/agents?cursor=nonsense",
    "/api/history?from=yesterday",
    "/api/history?order=sideways",
    "/api/usage?from=2026-13-01",
    "/api/groups?view=secret",
  ]) {
    expect({ wrong, ...(await call("GET", wrong)) }).toMatchObject({ wrong, status: 400 });
  }
  expect(await call("POST", "/api/groups", { description: "" })).toMatchObject({ status: 400 });
  expect(await call("POST", "/api/groups", { description: "x", mode: "magentic" })).toMatchObject({
    status: 400,
  });
  expect(await call("POST", "/api/groups", { description: "x", more: 1 })).toMatchObject({
    status: 400,
  });
  expect(await call("POST", "/api/groups")).toMatchObject({ status: 400 });
  expect(await call("DELETE", "/api/agents")).toMatchObject({ status: 404 });

  const form = await fetch(`${url}/api/groups`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "x-kuromajutsu": "1" },
    body: '{"description":"x"}',
  });
  expect(form.status).toBe(400);
  const broken = await fetch(`${url}/api/groups`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
  expect(broken.headers.get("content-type")).toBe("application/problem+json");
});

test("an id in a path is never used as a path of files or routes", async () => {
  const core = await aCore();
  const { url } = await aRestDoor(core);
  const port = Number(new URL(url).port);
  // fetch would normalize the path before sending it.
  const get = (path: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      request({ port, host: "127.0.0.1", path }, (response) => {
        let body = "";
        response.on("data", (chunk) => (body += String(chunk)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      })
        .on("error", reject)
        .end();
    });
  const ids = [
    "..",
    "../../../../etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%00",
    "%ff%fe",
    "%F0%9F%91%BB",
    "a".repeat(10_000),
    "__proto__",
    "constructor",
  ];

  for (const id of ids) {
    for (const rest of ["", "/transcript", "/files"]) {
      const { status, body } = await get(`/api/agents/${id}${rest}`);
      expect([400, 404]).toContain(status);
      expect(body).not.toContain("root:");
      expect(body).toContain('"code"');
    }
    expect([400, 404]).toContain((await get(`/api/groups/${id}`)).status);
  }
});

test("a POST with the same Idempotency-Key is carried out once", async () => {
  const core = await aCore();
  const { call } = await aRestDoor(core);
  const key = { "idempotency-key": "0b9f6b1e" };
  const make = (description: string, headers = {}) =>
    call("POST", "/api/groups", { description }, headers);

  const [first, again] = await Promise.all([make("a", key), make("a", key)]);
  expect(first.status).toBe(201);
  expect(again).toEqual(first);
  expect(await make("a", key)).toEqual(first);
  expect(await make("b", key)).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(await make("", { "idempotency-key": "corrected" })).toMatchObject({ status: 400 });
  expect(await make("c", { "idempotency-key": "corrected" })).toMatchObject({ status: 201 });
  expect(await make("d", { "idempotency-key": "x".repeat(201) })).toMatchObject({ status: 400 });

  const { body } = await call("GET", "/api/groups");
  expect(body["groups"]).toHaveLength(2);
});

test("POST /api/tasks accepts request for text, but not both", async () => {
  const { call } = await aRestDoor(await aCore());
  const english = { "accept-language": "en" };

  expect(await call("POST", "/api/tasks", { request: "集計して" })).toMatchObject({
    status: 201,
    body: { request: "集計して" },
  });
  expect(await call("POST", "/api/tasks", { request: "a", text: "b" }, english)).toMatchObject({
    status: 400,
    body: { detail: "Unknown field: request." },
  });
  expect(await call("POST", "/api/tasks", {}, english)).toMatchObject({
    status: 400,
    body: { detail: "text is missing (string)." },
  });
});

test.each([
  ["en", "status must be one of", "There is nothing at GET /api/nowhere."],
  ["ja", "status には次のどれかを指定してください", "GET /api/nowhere には何もありません。"],
])(
  "a wrong choice and an unknown route are explained to a reader of %s",
  async (language, choice, nothing) => {
    const { call } = await aRestDoor(await aCore());
    const headers = { "accept-language": language };

    const wrong = await call("GET", "/api/approvals?status=x", undefined, headers);
    const unknown = await call("GET", "/api/nowhere", undefined, headers);

    expect(wrong).toMatchObject({ status: 400, body: { code: "INVALID_ARGUMENTS" } });
    expect(wrong.body["detail"]).toContain(choice);
    expect(unknown).toMatchObject({ status: 404, body: { detail: nothing } });
  },
);
