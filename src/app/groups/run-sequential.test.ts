import { expect, test } from "vitest";
import {
  aCore,
  ended,
  someProgress,
  started,
  type ACore,
  type TestCore,
} from "../../../test/kit/core.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { reportResult } from "../agents/report-result.ts";
import { createGroup } from "./create-group.ts";
import { resumeGroups } from "./resume-groups.ts";
import { runSequential, type RunSequential } from "./run-sequential.ts";
import { stopGroup } from "./stop-group.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;
const task = (prompt = "やって") => ({
  role: "impl-code",
  prompt,
  workingDirectory: null,
  timeoutMs: null,
});

async function aPlan(stages: number[], over: Partial<RunSequential> = {}, options: ACore = {}) {
  const core = await aCore(options);
  const group = await createGroup(core, main, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const { agents } = await runSequential(core, main, {
    groupId: group.id,
    onFailure: "continue",
    stages: stages.map((count, stage) =>
      Array.from({ length: count }, (_, n) => task(`${stage}.${n}`)),
    ),
    ...over,
  });
  await core.quiet();
  return { core, group, agents };
}

async function finish(core: TestCore, agents: readonly Agent[], text = "できた", over = {}) {
  for (const { id } of agents) {
    const end = { ok: true, text, durationMs: 1, error: null };
    await core.observe(
      started(id),
      ended(id, { progress: someProgress({ lastMessage: text, end }), ...over }),
    );
  }
  await core.quiet();
}

const ofStage = (agents: readonly Agent[], stage: number) =>
  agents.filter((agent) => agent.stageIndex === stage);
const launched = (core: TestCore) => core.launches.map((launch) => launch.agentId);

test("run_sequential queues and returns the agents of all stages, and only the first stage starts", async () => {
  const { core, agents } = await aPlan([1, 3, 1]);

  expect(agents.map((agent) => agent.stageIndex)).toEqual([0, 1, 1, 1, 2]);
  expect(agents.every((agent) => agent.status === "queued")).toBe(true);
  expect(launched(core)).toEqual(ofStage(agents, 0).map((agent) => agent.id));
});

test("a stage starts when every agent of the previous one is settled, and its prompt has all their results", async () => {
  const { core, agents, group } = await aPlan([2, 1]);
  const [one, two] = ofStage(agents, 0);
  if (!one || !two) throw new Error("two");

  await finish(core, [one], "調査 A の結果");
  expect(core.launches).toHaveLength(2);
  await finish(core, [two], "調査 B の結果");

  const next = core.launches[2];
  expect(next?.agentId).toBe(ofStage(agents, 1)[0]?.id);
  expect(next?.command.stdin).toContain("調査 A の結果");
  expect(next?.command.stdin).toContain("調査 B の結果");
  expect(next?.command.stdin).toMatch(/【前ステージの結果】[\s\S]*1\.0$/);
  expect((await core.store.getGroup(group.id))?.stages).toMatchObject({ current: 1, total: 2 });
  const events = await core.store.listEvents(0, 100);
  expect(events.filter((event) => event.type === "group:stage_advanced")).toHaveLength(1);
});

test("a failed agent does not stop the plan, and the prompt of the next stage mentions the failure", async () => {
  const { core, agents } = await aPlan([1, 1]);

  await finish(core, ofStage(agents, 0), "", {
    exitCode: 3,
    stderrTail: "boom",
    progress: someProgress({ end: null }),
  });

  expect(core.launches).toHaveLength(2);
  expect(core.launches[1]?.command.stdin).toContain("失敗");
  expect(core.launches[1]?.command.stdin).toContain("boom");
});

test("with onFailure stop the later stages are cancelled, each with a result", async () => {
  const { core, agents, group } = await aPlan([2, 1, 1], { onFailure: "stop" });
  const [one, two] = ofStage(agents, 0);
  if (!one || !two) throw new Error("two");

  await finish(core, [one]);
  await finish(core, [two], "", { exitCode: 1 });

  for (const { id } of agents.filter((agent) => agent.stageIndex !== 0)) {
    expect(await core.store.getAgent(id)).toMatchObject({ status: "cancelled", process: "ended" });
    expect((await core.store.getResult(id))?.errorMessage).toContain("stage 1 failed");
  }
  expect(await core.store.countUnsettled(group.id)).toBe(0);
  expect(core.launches).toHaveLength(2);
});

test("a daemon that crashed between two stages opens the next stage once after its restart", async () => {
  const { core, agents, group } = await aPlan([1, 2]);
  const [first] = ofStage(agents, 0);
  if (!first) throw new Error("one");
  // Settled in the store, but no reaction to it has run: as after kill -9.
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(first.id);
    if (!agent) throw new Error("gone");
    await unit.updateAgent({ ...agent, status: "completed", process: "ended" }, agent);
  });

  await Promise.all([resumeGroups(core), resumeGroups(core)]);
  await core.quiet();

  expect(launched(core)).toEqual(agents.map((agent) => agent.id));
  expect((await core.store.getGroup(group.id))?.stages?.current).toBe(1);
});

test("twenty stages of five agents with two slots run to the end, stage by stage", async () => {
  const { core, agents } = await aPlan(
    Array.from({ length: 20 }, () => 5),
    {},
    { settings: { maxConcurrent: 2 } },
  );

  for (let done = 0; done < 100; done++) {
    const [next] = core.launches.slice(done, done + 1);
    const agent = agents.find(({ id }) => id === next?.agentId);
    if (!agent) throw new Error(`nothing was started after ${done} agents`);
    expect(agent.stageIndex).toBe(Math.floor(done / 5));
    await finish(core, [agent]);
  }

  expect(new Set(launched(core)).size).toBe(100);
});

test("stopping a sequential group cancels its running agents and never starts its later stages", async () => {
  const { core, agents, group } = await aPlan([1, 1]);
  const [first, second] = agents;
  if (!first || !second) throw new Error("two");
  await core.observe(started(first.id));

  expect(await stopGroup(core, group.id)).toEqual([second.id, first.id]);
  await core.observe(ended(first.id, { exitCode: 143 }));
  await core.quiet();

  expect(core.launches).toHaveLength(1);
  expect((await core.store.getAgent(second.id))?.status).toBe("cancelled");
  expect((await core.store.getAgent(first.id))?.status).toBe("cancelled");
});

test.each([
  [[], "EMPTY_STAGES"],
  [[1, 0], "EMPTY_STAGE_TASKS"],
])("stages %j are refused with %s and nothing is queued", async (stages, code) => {
  await expect(aPlan(stages)).rejects.toMatchObject({ code });
});

test("a second plan in the same group is refused", async () => {
  const { core, group } = await aPlan([1]);

  const again = runSequential(core, main, {
    groupId: group.id,
    onFailure: "continue",
    stages: [[task()]],
  });

  await expect(again).rejects.toMatchObject({ code: "SEQUENTIAL_START_FAILED" });
});

test("a stage waits for the process of an agent that has reported: it could still change files", async () => {
  const { core, agents } = await aPlan([1, 1]);
  const [first] = ofStage(agents, 0);
  if (!first) throw new Error("one");
  await core.observe(started(first.id));
  await reportResult(core, main, {
    agentId: first.id,
    report: {
      status: "success",
      summary: "できた",
      response: "",
      editedFiles: [],
      createdFiles: [],
      errorMessage: null,
    },
  });
  await core.quiet();
  expect(core.launches).toHaveLength(1);

  await core.observe(ended(first.id));
  await core.quiet();

  expect(core.launches).toHaveLength(2);
});
