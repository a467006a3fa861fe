import { expect, test } from "vitest";
import { aCore, aRole, ended, started } from "../../../test/kit/core.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { AgentRequest } from "../agents/plan-agent.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import type { Core, Identity } from "../core.ts";
import { createGroup } from "./create-group.ts";
import { deleteGroup } from "./delete-group.ts";
import { runAgents } from "./run-agents.ts";

const main: Identity = { kind: "client", cwd: "/", keys: {} };

function request(over: Partial<AgentRequest> = {}): AgentRequest {
  return { role: "impl-code", prompt: "やって", workingDirectory: null, timeoutMs: null, ...over };
}

async function aGroupIn(core: Core, mode: "concurrent" | "sequential" = "concurrent") {
  return createGroup(core, main, { description: "試し", mode, parentGroupId: null });
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
}

test("agents are queued, then started up to the limit, oldest first", async () => {
  const core = await aCore({ settings: { maxConcurrent: 2 } });
  const group = await aGroupIn(core);

  const agents = await runAgents(core, main, {
    groupId: group.id,
    agents: [request(), request(), request()],
  });
  await core.quiet();

  expect(agents.map((agent) => agent.status)).toEqual(["queued", "queued", "queued"]);
  expect(core.launches.map((launch) => launch.agentId)).toEqual(
    agents.slice(0, 2).map((agent) => agent.id),
  );
});

test("a settled agent makes room for the next one", async () => {
  const core = await aCore({ settings: { maxConcurrent: 1 } });
  const group = await aGroupIn(core);
  const [first, second] = await runAgents(core, main, {
    groupId: group.id,
    agents: [request(), request()],
  });
  if (!first || !second) throw new Error("two agents were asked for");
  await core.quiet();

  await core.observe(started(first.id), ended(first.id));
  await core.quiet();

  expect(core.launches.map((launch) => launch.agentId)).toEqual([first.id, second.id]);
});

test("an agent id that is taken is drawn again", async () => {
  const draws = ["aaaa", "aaaa", "aaaa", "bbbb", "cccc"];
  const core = await aCore({ hex: () => draws.shift() ?? "dddd" });
  const group = await aGroupIn(core);

  const agents = await runAgents(core, main, {
    groupId: group.id,
    agents: [request(), request(), request()],
  });

  expect(agents.map((agent) => agent.id.slice(-4))).toEqual(["aaaa", "bbbb", "cccc"]);
});

test("when no agent id is left, run_agents is refused as a whole and stores nothing", async () => {
  const core = await aCore({ hex: () => "aaaa" });
  const group = await aGroupIn(core);

  const refusal = await refusalOf(
    runAgents(core, main, { groupId: group.id, agents: [request(), request()] }),
  );

  expect(refusal.code).toBe("IDS_EXHAUSTED");
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
});

const REFUSED: [string, string, (core: Core) => Promise<unknown>][] = [
  [
    "an empty list",
    "EMPTY_AGENTS",
    async (core) => runAgents(core, main, { groupId: (await aGroupIn(core)).id, agents: [] }),
  ],
  [
    "an unknown group",
    "GROUP_NOT_FOUND",
    (core) => runAgents(core, main, { groupId: "grp-0-0000", agents: [request()] }),
  ],
  [
    "a sequential group",
    "MODE_MISMATCH",
    async (core) =>
      runAgents(core, main, {
        groupId: (await aGroupIn(core, "sequential")).id,
        agents: [request()],
      }),
  ],
  [
    "a deleted group",
    "GROUP_NOT_ACTIVE",
    async (core) => {
      const { id } = await deleteGroup(core, main, { groupId: (await aGroupIn(core)).id });
      return runAgents(core, main, { groupId: id, agents: [request()] });
    },
  ],
  [
    "one unknown role among good ones",
    "ROLE_NOT_FOUND",
    async (core) =>
      runAgents(core, main, {
        groupId: (await aGroupIn(core)).id,
        agents: [request(), request({ role: "wizard" })],
      }),
  ],
  [
    "a role that works on tasks only",
    "ROLE_NOT_FOUND",
    async (core) =>
      runAgents(core, main, {
        groupId: (await aGroupIn(core)).id,
        agents: [request({ role: "executor" })],
      }),
  ],
  [
    "a working directory that does not exist",
    "WORKING_DIRECTORY_NOT_FOUND",
    async (core) =>
      runAgents(core, main, {
        groupId: (await aGroupIn(core)).id,
        agents: [request({ workingDirectory: "/no/such/place" })],
      }),
  ],
];

for (const [what, code, act] of REFUSED) {
  test(`run_agents with ${what} is refused with ${code} and queues nothing`, async () => {
    const core = await aCore();

    const refusal = await refusalOf(act(core));

    expect(refusal.code).toBe(code);
    expect(refusal.hint).not.toBe("");
    expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
  });
}

test("more agents than the queue holds are refused as a whole", async () => {
  const core = await aCore({ settings: { maxQueued: 2 } });
  const group = await aGroupIn(core);

  const refusal = await refusalOf(
    runAgents(core, main, { groupId: group.id, agents: [request(), request(), request()] }),
  );

  expect(refusal.code).toBe("MAX_CONCURRENT_REACHED");
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
});

test("a role whose CLI is not installed is unavailable", async () => {
  const core = await aCore({ roles: [aRole({ runner: "cursor" })] });
  const group = await aGroupIn(core);

  const refusal = await refusalOf(
    runAgents(core, main, { groupId: group.id, agents: [request()] }),
  );

  expect(refusal.code).toBe("ROLE_UNAVAILABLE");
});

test("a CLI that disappears between the request and the start fails the agent, with a result", async () => {
  const core = await aCore({
    settings: { maxConcurrent: 1 },
    roles: [aRole({ runner: "cursor" })],
  });
  core.installed.add("cursor");
  const group = await aGroupIn(core);
  const [first, second] = await runAgents(core, main, {
    groupId: group.id,
    agents: [request(), request()],
  });
  if (!first || !second) throw new Error("two agents were asked for");
  await core.quiet();
  core.installed.clear();

  await core.observe(started(first.id), ended(first.id));
  await core.quiet();

  expect(await core.store.getAgent(second.id)).toMatchObject({
    status: "failed",
    process: "ended",
  });
  expect((await core.store.getResult(second.id))?.errorMessage).toContain("was not found on PATH");
});

test("after a restart, an agent with a client's key waits until that client connects", async () => {
  const core = await aCore();
  core.installed.add("cursor");
  const group = await aGroupIn(core);
  const [agent] = await runAgents(
    core,
    { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: "secret" } },
    { groupId: group.id, agents: [request()] },
  );
  if (!agent) throw new Error("one agent was asked for");
  core.clientKeys.forget(agent.id);
  await core.quiet();
  expect(core.launches).toEqual([]);

  core.clientKeys.offer({ CURSOR_API_KEY: "secret" });
  core.dispatchSoon();
  await core.quiet();

  expect(core.launches.map((launch) => launch.agentId)).toEqual([agent.id]);
});

test("an agent gets the caller's working directory unless the request names one", async () => {
  const core = await aCore();
  const group = await aGroupIn(core);

  const agents = await runAgents(
    core,
    { kind: "client", cwd: "/usr", keys: {} },
    { groupId: group.id, agents: [request(), request({ workingDirectory: "bin" })] },
  );

  expect(agents.map((agent) => agent.workingDirectory)).toEqual(["/usr", "/usr/bin"]);
});

test("an agent that is cancelled while others are being started does not delay them", async () => {
  const core = await aCore();
  const group = await aGroupIn(core);
  const agents = await runAgents(core, main, {
    groupId: group.id,
    agents: [request(), request(), request()],
  });
  const [first, second, third] = agents;
  if (!first || !second || !third) throw new Error("three");

  await stopAgent(core, second.id, "cancelled");
  await core.quiet();

  expect(core.launches.map((launch) => launch.agentId)).toEqual([first.id, third.id]);
  expect((await core.store.getAgent(second.id))?.status).toBe("cancelled");
});
