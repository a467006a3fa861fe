import { expect, test } from "vitest";
import { z } from "zod";
import {
  agentIdsIn,
  aRecordedClient,
  aWorld,
  idIn,
  overHttp,
  upstream,
  type World,
} from "./world.ts";

const READ = [
  "/api/health /api/me /api/settings /api/welcome /api/system /api/openapi.json /api/roles",
  "/api/roles/research /api/role-tools /api/models /api/health-check /api/config/trust /api/audit",
  "/api/audit/verify /api/groups /api/agents /api/tasks /api/approvals /api/notifications",
  "/api/history /api/usage?from=2026-01-01&until=2026-01-02 /api/gateway",
].flatMap((paths) => paths.split(" "));

const NOT_FOUND = [
  "/api/groups/x /api/agents/x /api/agents/x/prompt /api/agents/x/transcript /api/agents/x/files",
  "/api/tasks/x /api/tasks/x/events /api/approvals/x /api/executions/x /api/roles/x /api/nothing",
].flatMap((paths) => paths.split(" "));

const BAD_QUERY = [
  "/api/groups?limit=0 /api/groups?view=none /api/agents?status=none /api/agents?cursor=none",
  "/api/history?from=yesterday /api/usage?from=none /api/tasks?status=none /api/tasks?limit=9999",
  "/api/approvals?kind=none /api/audit?limit=0 /api/notifications?unknown=1",
].flatMap((paths) => paths.split(" "));

test("every GET route without people answers as recorded, empty, missing or badly asked", async () => {
  const world = await aWorld("rest-reading");
  await upstream(world);
  for (const path of READ) await world.ask("GET", path);
  await recordPins(world);
  for (const path of NOT_FOUND) await world.ask("GET", path);
  for (const path of BAD_QUERY) await world.ask("GET", path);
  expect(world.recorder.differences()).toEqual([]);
});

test("REST refuses wrong changes with the recorded status and code", async () => {
  const world = await aWorld("rest-refusals");
  const wrong: [string, string, object?][] = [
    ["POST", "/api/groups", { body: {} }],
    ["POST", "/api/groups", { body: { description: "互換", unknown: 1 } }],
    ["POST", "/api/groups", { body: { description: "互換", parentGroupId: "x" } }],
    ["POST", "/api/groups", { raw: "{" }],
    [
      "POST",
      "/api/groups",
      { raw: "x", headers: { "content-type": "text/plain", "x-kuromajutsu": "" } },
    ],
    [
      "POST",
      "/api/groups",
      { body: { description: "互換" }, headers: { origin: "https://other.example" } },
    ],
    ["DELETE", "/api/groups/x"],
    ["POST", "/api/groups/x/stop"],
    ["POST", "/api/agents/x/message", { body: { text: "互換" } }],
    ["POST", "/api/agents/x/message", { body: {} }],
    ["POST", "/api/agents/x/cancel"],
    ["POST", "/api/tasks", { body: {} }],
    ["POST", "/api/tasks", { body: { text: " " } }],
    ["POST", "/api/tasks", { body: { text: "互換", priority: "highest" } }],
    ["PATCH", "/api/tasks/x", { body: { status: "blocked" } }],
    ["PATCH", "/api/tasks/x", { body: { status: "completed" } }],
    ["POST", "/api/tasks/x/retry"],
    ["POST", "/api/executions/x/cancel"],
    ["POST", "/api/executions/x/retry"],
    ["POST", "/api/approvals/x/decision", { body: { decision: "approve", version: 1 } }],
    ["POST", "/api/approvals/x/decision", { body: { decision: "perhaps", version: 1 } }],
    [
      "POST",
      "/api/approvals/x/extend",
      { body: { version: 1, expiresAt: "2030-01-01T00:00:00Z" } },
    ],
    ["POST", "/api/gateway/accept", { body: { server: "x", tool: "y", hash: "z" } }],
    ["POST", "/api/gateway/accept", { body: { server: "notes", tool: "list_notes", hash: "z" } }],
    ["POST", "/api/health-check", { body: { roleIds: ["x"] } }],
    ["POST", "/api/roles/x/revalidate"],
    ["POST", "/api/roles", { body: { id: "../x" } }],
    ["POST", "/api/roles", { body: { id: "互換" } }],
    ["POST", "/api/roles", { body: { id: "research" } }],
    ["POST", "/api/roles", { body: { id: "mine" } }],
    ["PUT", "/api/roles/x", { body: { name: "互換" } }],
    ["PUT", "/api/roles/research", { body: { access: "all" } }],
    ["PUT", "/api/roles/research", { body: { name: "互換", expectedHash: "x" } }],
    ["PUT", "/api/roles/research", { body: { tools: ["nothing"] } }],
    ["POST", "/api/roles/x/duplicate", { body: { newId: "y" } }],
    ["DELETE", "/api/roles/x"],
    ["POST", "/api/config/trust", { body: { hash: "x" } }],
    ["POST", "/api/login", { body: { token: "x" } }],
    ["POST", "/api/logout"],
    ["PUT", "/api/groups", { body: {} }],
  ];
  await upstream(world);
  for (const [method, path, asked] of wrong) await world.ask(method, path, asked);
  await world.ask("GET", "/api/audit");
  expect(world.recorder.differences()).toEqual([]);
});

test("roles are edited, copied and deleted over REST as recorded", async () => {
  const world = await aWorld("rest-roles", { mcpServers: {} });
  const mine = {
    id: "mine",
    name: "互換",
    description: "互換の役",
    model: "m",
    systemPrompt: "互換\n",
  };
  await world.ask("PUT", "/api/roles/research?dryRun=true", { body: { model: "other" } });
  await world.ask("PUT", "/api/roles/research", { body: { model: "other", tools: ["textlint"] } });
  await world.ask("GET", "/api/roles/research");
  await world.ask("PUT", "/api/roles/research", { body: { model: null, mcpServers: ["hr"] } });
  await world.ask("POST", "/api/roles", { body: mine });
  await world.ask("POST", "/api/roles", { body: mine });
  await world.ask("POST", "/api/roles/mine/duplicate", {
    body: { newId: "other", name: "互換 2" },
  });
  await world.ask("DELETE", "/api/roles/mine");
  await world.ask("DELETE", "/api/roles/code-review");
  await world.ask("GET", "/api/roles");
  await world.ask("POST", "/api/roles", { body: { id: "code-review" } });
  await world.ask("POST", "/api/role-tools/check");
  await world.ask("POST", "/api/roles/research/revalidate");
  await world.waitFor("/api/health-check", ({ state, step }) => state === "idle" && step === 3);
  await world.ask("GET", "/api/health-check");
  await world.ask("GET", "/api/models");
  await world.ask("GET", "/api/audit");
  expect(world.recorder.differences()).toEqual([]);
});

test("groups and their agents are read, told, stopped and deleted over REST as recorded", async () => {
  const world = await aWorld("rest-agents", {
    prices: { currency: "USD", models: { priced: { input: 3, output: 15 } } },
    roles: [{ id: "impl-code", model: "priced" }],
  });
  const { ask, place } = world;
  await upstream(world);
  const once = { body: { description: "互換の組" }, headers: { "idempotency-key": "one" } };
  const groupId = idIn(await ask("POST", "/api/groups", once), "groupId");
  await ask("POST", "/api/groups", once);
  await ask("POST", "/api/groups", { ...once, body: { description: "互換の別" } });
  await ask("POST", "/api/groups", {
    body: { description: "互換の子", parentGroupId: groupId, mode: "sequential" },
  });
  const silent = { add: () => undefined, differences: () => [] };
  const { call } = await aRecordedClient(silent, "main", overHttp(world.url));
  const start = async (role: string, prompt: string) => {
    const agents = [{ role, prompt, workingDirectory: place.dir }];
    const [agentId = ""] = agentIdsIn(await call("run_agents", { groupId, agents }));
    return agentId;
  };
  const done = await start(
    "impl-code",
    "互換\n#rehearsal usage 1000 200\n#rehearsal write a.txt x\n#rehearsal edit a.txt y",
  );
  await world.waitFor(
    `/api/history?groupId=${groupId}`,
    ({ entries }) => z.array(z.unknown()).parse(entries).length === 1,
  );
  const failed = await start("impl-code", "互換\n#rehearsal fail 互換の失敗");
  await world.waitFor(
    `/api/history?groupId=${groupId}`,
    ({ entries }) => z.array(z.unknown()).parse(entries).length === 2,
  );
  const hanging = await start("research", "互換\n#rehearsal say 互換\n#rehearsal hang");
  await world.waitFor(`/api/agents/${hanging}`, (agent) =>
    JSON.stringify(agent["progress"]).includes("互換"),
  );

  for (const agentId of [done, failed, hanging]) {
    await ask("GET", `/api/agents/${agentId}`);
    await ask("GET", `/api/agents/${agentId}/files`);
    await ask("GET", `/api/agents/${agentId}/prompt`);
  }
  await readTranscript(world, done);
  await ask("POST", `/api/agents/${hanging}/message`, { body: { text: "互換の知らせ" } });
  await ask("POST", `/api/agents/${done}/message`, { body: { text: "互換の知らせ" } });
  await ask("GET", `/api/notifications?agentId=${hanging}`);
  await ask("GET", "/api/groups");
  await ask("GET", `/api/groups/${groupId}`);
  await ask("GET", "/api/agents?status=running");
  await ask("GET", `/api/agents?groupId=${groupId}&limit=1`);
  await ask("GET", "/api/history?order=asc");
  await ask("GET", "/api/history?status=failed");
  await ask("DELETE", `/api/groups/${groupId}`);
  await ask("POST", `/api/agents/${hanging}/cancel`);
  await world.waitFor(`/api/agents/${hanging}`, ({ status }) => status === "cancelled");
  await ask("GET", `/api/agents/${hanging}`);
  await ask("POST", `/api/agents/${hanging}/cancel`);
  const second = await start("research", "互換\n#rehearsal say 互換\n#rehearsal hang");
  await world.waitFor(`/api/agents/${second}`, (agent) =>
    JSON.stringify(agent["progress"]).includes("互換"),
  );
  await ask("POST", `/api/groups/${groupId}/stop`);
  await world.waitFor(`/api/agents/${second}`, ({ status }) => status === "cancelled");
  await ask("DELETE", `/api/groups/${groupId}`);
  await ask("DELETE", `/api/groups/${groupId}`);
  await ask("GET", `/api/groups/${groupId}`);
  await ask("GET", "/api/groups?view=active");
  await recordUsage(world);
  await ask("GET", "/api/notifications");
  await ask("GET", "/api/audit");
  expect(world.recorder.differences()).toEqual([]);
});

/** Another hash of the same definition would quarantine every tool that was accepted before. */
async function recordPins({ look, recorder }: World): Promise<void> {
  const { servers } = z
    .object({
      servers: z.array(
        z.object({ tools: z.array(z.object({ name: z.string(), hash: z.string() })) }),
      ),
    })
    .parse(await look("/api/gateway"));
  const tools = servers.flatMap((server) => server.tools);
  recorder.add(
    "hashes of accepted tools",
    tools.map(({ name, hash }) => [name, hash.slice(0, 40)]),
  );
}

/** The lines are those of a CLI, with ids and times of this run: only the shape is recorded. */
async function readTranscript({ look, recorder }: World, agentId: string): Promise<void> {
  const transcript = await look(`/api/agents/${agentId}/transcript`);
  const lines = z.array(z.string()).parse(transcript["lines"]);
  const types = lines.map((line) => {
    const event = z
      .looseObject({ type: z.string(), subtype: z.string().optional() })
      .parse(JSON.parse(line));
    return `${event.type} ${event.subtype ?? ""}`.trim();
  });
  recorder.add("GET transcript", { ...transcript, lines: types });
}

/** The rows are by day: around midnight one more is possible, so the days are joined. */
async function recordUsage({ look, recorder }: World): Promise<void> {
  const { rows } = await look("/api/usage");
  recorder.add("GET /api/usage", { rows });
}
