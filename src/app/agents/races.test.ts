import { expect, test } from "vitest";
import {
  aCore,
  aRole,
  ended,
  someProgress,
  started,
  type ACore,
  type TestCore,
} from "../../../test/kit/core.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import { callTool } from "../../doors/mcp/call-tool.ts";
import { TOOLS } from "../../doors/mcp/tools.ts";
import type { Identity } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { runAgents } from "../groups/run-agents.ts";
import { runMagentic } from "../groups/run-magentic.ts";
import { runSequential } from "../groups/run-sequential.ts";
import { sendMessage } from "../notifications/send-message.ts";
import { createDeadlines } from "./deadlines.ts";
import { reportResult } from "./report-result.ts";
import { resumeAgents } from "./resume-agents.ts";
import { stopAgent } from "./stop-agent.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;
const roles = [aRole(), aRole({ id: "orchestrator" })];
const task = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };

async function oneAgent(core: TestCore, identity: Identity = main) {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, identity, { groupId: group.id, agents: [task] });
  if (!agent) throw new Error("one agent was asked for");
  return { group, agent };
}

async function aTask(over: ACore = {}) {
  const core = await aCore({ roles, ...over });
  const { orchestrator, group } = await runMagentic(core, main, {
    description: "d",
    task: "t",
    completionCriteria: "c",
    scope: "s",
    constraints: null,
    context: null,
    availableRoles: null,
    maxIterations: 10,
    timeoutMs: null,
    workingDirectory: null,
  });
  await core.quiet();
  await core.observe(started(orchestrator.id));
  const identity: Identity = {
    kind: "agent",
    agentId: orchestrator.id,
    role: "orchestrator",
  };
  return { core, group, orchestrator, identity };
}

test("a stop that races with a start either stops the launched agent or settles it unlaunched", async () => {
  for (let ticks = 0; ticks < 120; ticks += 120 / rounds({ all: 120, few: 30 })) {
    const core = await aCore();
    const { agent } = await oneAgent(core);

    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    await stopAgent(core, agent.id, "cancelled");
    await core.quiet();

    const now = await core.store.getAgent(agent.id);
    const isGhost = core.launches.length > 0 && now?.process === "ended";
    const isForgotten = core.launches.length > 0 && core.stops.length === 0;
    expect({ ticks, isGhost, isForgotten }).toEqual({ ticks, isGhost: false, isForgotten: false });
  }
});

test("an agent that was stopped before its start was observed is stopped at that observation", async () => {
  const core = await aCore();
  const { agent } = await oneAgent(core);
  await core.quiet();
  await stopAgent(core, agent.id, "cancelled");
  core.stops.length = 0;

  await core.observe(started(agent.id));

  expect(core.stops).toEqual([{ agentId: agent.id, signal: "SIGTERM" }]);
});

test.each(["agent", "client"] as const)(
  "a report by the %s that arrives before the start is recorded is kept",
  async (kind) => {
    const core = await aCore();
    const { agent } = await oneAgent(core);
    await core.quiet();
    const report = {
      status: "success",
      summary: "速い",
      response: "",
      editedFiles: [],
      createdFiles: [],
      errorMessage: null,
    } as const;

    const reporting = reportResult(
      core,
      kind === "client" ? main : { kind, agentId: agent.id, role: "impl-code" },
      { agentId: agent.id, report },
    );
    await core.observe(started(agent.id));
    await reporting;

    expect((await core.store.getResult(agent.id))?.summary).toBe("速い");
  },
);

test("a deadline whose action failed can be set again repeatedly", async () => {
  const deadlines = createDeadlines({ now: () => 0 });
  let due = 0;
  const again = (): void => {
    due++;
    if (due < 4) deadlines.set("a-1-x", "again", 0, again);
  };

  deadlines.set("a-1-x", "again", 0, again);

  await expect.poll(() => due).toBe(4);
});

test("a tool's answer is sent even if its notification could not be marked as announced", async () => {
  const { core, identity, orchestrator } = await aTask();
  await sendMessage(core, main, { agentId: orchestrator.id, text: "x", from: "local" });
  const tool = TOOLS.find(({ name }) => name === "create_group");
  if (!tool) throw new Error("create_group is gone");
  let writes = 0;
  const full: TestCore = {
    ...core,
    store: {
      ...core.store,
      transaction: (work) =>
        ++writes > 1 ? Promise.reject(new Error("disk full")) : core.store.transaction(work),
    },
  };

  const answer = await callTool(full, tool, {
    name: "create_group",
    args: { description: "子" },
    identify: async () => identity,
    signal: new AbortController().signal,
    patienceMs: 1_000,
    beat: () => {},
  });

  expect(answer.isError).toBeUndefined();
  expect(answer.structuredContent).toHaveProperty("groupId");
});

test("after a crash, the held stages of a plan never start if its orchestrator has ended", async () => {
  const { core, identity, orchestrator } = await aTask();
  const plan = await createGroup(core, identity, {
    description: "p",
    mode: "sequential",
    parentGroupId: null,
  });
  const { agents } = await runSequential(core, identity, {
    groupId: plan.id,
    onFailure: "continue",
    stages: [[task], [task]],
  });
  const [first, second] = agents;
  if (!first || !second) throw new Error("two");
  await core.quiet();
  await core.observe(started(first.id));
  // The end is committed, but no reaction to it has run: as after kill -9.
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(orchestrator.id);
    if (agent) await unit.updateAgent({ ...agent, status: "failed", process: "ended" }, agent);
  });

  await resumeAgents(core);
  await resumeGroups(core);
  await core.observe(ended(first.id, { exitCode: 143, progress: someProgress({ end: null }) }));
  await core.quiet();

  expect((await core.store.getAgent(second.id))?.status).toBe("cancelled");
  expect(core.launches.some((launch) => launch.agentId === second.id)).toBe(false);
});

test("the next daemon finishes a plan if the last one crashed before it reacted to the last agent's end", async () => {
  const core = await aCore();
  const plan = await createGroup(core, main, {
    description: "p",
    mode: "sequential",
    parentGroupId: null,
  });
  const { agents } = await runSequential(core, main, {
    groupId: plan.id,
    onFailure: "continue",
    stages: [[task]],
  });
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(agents[0]?.id ?? "");
    if (agent) await unit.updateAgent({ ...agent, status: "completed", process: "ended" }, agent);
  });

  await resumeGroups(core);

  expect((await core.store.getGroup(plan.id))?.stages).toMatchObject({ current: 1, total: 1 });
});

test("a group that is deleted before its last stage leaves nothing to retry", async () => {
  const core = await aCore();
  const errors: string[] = [];
  core.log.error = (message) => void errors.push(message);
  const plan = await createGroup(core, main, {
    description: "p",
    mode: "sequential",
    parentGroupId: null,
  });
  const { agents } = await runSequential(core, main, {
    groupId: plan.id,
    onFailure: "continue",
    stages: [[task]],
  });
  const [agent] = agents;
  if (!agent) throw new Error("one");
  await core.quiet();
  await core.observe(started(agent.id));
  core.live.subscribe((event) => {
    if (event.type === "agent:completed") void deleteGroup(core, main, { groupId: plan.id });
  });

  await core.observe(ended(agent.id));
  await core.quiet();

  expect(errors).toEqual([]);
});

test("an agent that must be launched again without its key goes back into the queue", async () => {
  const core = await aCore();
  core.installed.add("cursor");
  const { agent } = await oneAgent(core, { ...main, keys: { CURSOR_API_KEY: "secret" } });
  await core.quiet();
  core.clientKeys.forget(agent.id);

  await core.observe({ type: "not_launched", agentId: agent.id, attempt: 1 });
  await core.quiet();

  expect(core.launches).toHaveLength(1);
  expect(await core.store.getAgent(agent.id)).toMatchObject({
    status: "queued",
    process: "waiting",
  });
});

test("agents that two clients request concurrently run with the keys of their own client", async () => {
  const core = await aCore({ roles, settings: { maxConcurrent: 100 } });
  // Both clients have connected, the first one last.
  for (const { keys } of [withKey("of B"), withKey("of A")]) core.clientKeys.offer(keys);
  const { group } = await oneAgent(core);

  for (let lag = 0; lag < 10; lag += 1) {
    const ask = (key: string) =>
      runAgents(core, withKey(key), { groupId: group.id, agents: [task] });
    const first = ask("of A");
    for (let turn = 0; turn < lag; turn += 1) await Promise.resolve();
    const agents = await Promise.all([first, ask("of B")]);
    await core.quiet();

    const keys = agents.map(([agent]) => {
      const launch = core.launches.find(({ agentId }) => agentId === agent?.id);
      return launch?.command.env["CURSOR_API_KEY"];
    });
    expect([lag, ...keys]).toEqual([lag, "of A", "of B"]);
  }
});

function withKey(key: string): Identity & { readonly keys: Record<string, string> } {
  return { kind: "client", cwd: "/", keys: { CURSOR_API_KEY: key } };
}
