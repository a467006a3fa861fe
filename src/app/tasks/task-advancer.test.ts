import { expect, onTestFinished, test, vi } from "vitest";
import { aTask, NOON } from "../../../test/kit/builders.ts";
import { aCore, dyingAtCommit, ended, started, type TestCore } from "../../../test/kit/core.ts";
import {
  ANALYSIS,
  answer,
  askFor,
  aPlannedTask,
  aReport,
  decide,
  DESIGN,
  drafterOf,
  HR,
  inputOf,
  PLAN,
  reject,
  taskOf,
  upstreamWith,
} from "../../../test/kit/task-flow.ts";
import type { TaskId } from "../../domain/ids.ts";
import { reportResult } from "../agents/report-result.ts";
import { resumeAgents } from "../agents/resume-agents.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { createTaskAdvancer, resumeTasks } from "./task-advancer.ts";

const upstream = upstreamWith(...HR);

let revivals = 0;

/** Starts the next daemon on the same store. */
async function revive(dead: TestCore): Promise<TestCore> {
  const core = await aCore({ upstream, store: dead.store, now: NOON + ++revivals * 1_000 });
  await resumeAgents(core);
  await resumeGroups(core);
  await resumeTasks(core);
  await core.quiet();
  return core;
}

async function rolesOf(core: TestCore, taskId: TaskId): Promise<string[]> {
  return (await core.store.listTaskAgents(taskId)).map(({ role }) => role);
}

/** Gives every draft and every decision until the steps are approved. */
async function finish(core: TestCore, taskId: TaskId): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await core.quiet();
    const { status } = await taskOf(core, taskId);
    if (status === "analyzing") await answer(core, taskId, ANALYSIS);
    else if (status === "planning") await answer(core, taskId, PLAN);
    else if (status === "designing") await answer(core, taskId, DESIGN);
    else if (status.startsWith("awaiting_")) await decide(core, taskId);
    else return;
  }
}

/** The drafting agent answers, and the daemon dies before it reads the answer. */
async function answerUnseen(core: TestCore, taskId: TaskId, response: string): Promise<void> {
  const agent = await drafterOf(core, taskId);
  const dead = dyingAtCommit(core);
  await dead.observe(started(agent.id));
  await reportResult(
    dead,
    { kind: "agent", agentId: agent.id, role: agent.role },
    { agentId: agent.id, report: aReport({ response }) },
  );
  await dead.observe(ended(agent.id));
}

const DEATHS: [string, (core: TestCore) => Promise<TaskId>][] = [
  ["the request was stored", async (core) => (await askFor(dyingAtCommit(core))).id],
  [
    "the analyst was queued",
    async (core) => {
      const dead = dyingAtCommit(core);
      const { id } = await askFor(dead);
      const advancer = createTaskAdvancer(() => dead);
      advancer.advanceSoon(id);
      await advancer.close();
      return id;
    },
  ],
  [
    "the analyst was launched",
    async (core) => {
      const { id } = await askFor(core);
      await drafterOf(core, id);
      return id;
    },
  ],
  [
    "the analyst was running",
    async (core) => {
      const { id } = await askFor(core);
      const analyst = await drafterOf(core, id);
      await core.observe(started(analyst.id));
      return id;
    },
  ],
  [
    "the analyst had answered",
    async (core) => {
      const { id } = await askFor(core);
      await answerUnseen(core, id, JSON.stringify(ANALYSIS));
      return id;
    },
  ],
  [
    "the planner had answered",
    async (core) => {
      const { id } = await askFor(core);
      await answer(core, id, ANALYSIS);
      await answerUnseen(core, id, JSON.stringify(PLAN));
      return id;
    },
  ],
  ["a person was asked about the prompt", (core) => aPlannedTask(core)],
  [
    "the prompt was approved",
    async (core) => {
      const id = await aPlannedTask(core);
      await decide(dyingAtCommit(core), id);
      return id;
    },
  ],
  [
    "the designer had answered",
    async (core) => {
      const id = await aPlannedTask(core);
      await decide(core, id);
      await answerUnseen(core, id, JSON.stringify(DESIGN));
      return id;
    },
  ],
  [
    "the approval of the steps was pending",
    async (core) => {
      const id = await aPlannedTask(core);
      await decide(core, id);
      await answer(core, id, DESIGN);
      return id;
    },
  ],
];

test.each(DEATHS)(
  "after a daemon died when %s, the next one continues without a second draft",
  async (_when, live) => {
    const first = await aCore({ upstream });
    const id = await live(first);

    const core = await revive(first);
    await resumeTasks(core);
    await finish(core, id);

    expect((await taskOf(core, id)).status).toBe("in_progress");
    expect((await rolesOf(core, id)).filter((role) => role !== "executor")).toEqual([
      "task-analyst",
      "planner",
      "process-designer",
    ]);
    expect(await core.store.listPromptDrafts(id)).toHaveLength(1);
    expect(await core.store.listProcessDrafts(id)).toHaveLength(1);
  },
);

test("an unusable answer that was not read before the restart is sent back once", async () => {
  const first = await aCore({ upstream });
  const { id } = await askFor(first);
  await answerUnseen(first, id, "まだです");

  const core = await revive(first);

  expect(await inputOf(core, await drafterOf(core, id))).toMatchObject({
    sentBack: { answer: "まだです" },
  });
  expect(await taskOf(core, id)).toMatchObject({ draftTries: 1 });
  expect(await rolesOf(core, id)).toEqual(["task-analyst", "task-analyst"]);
});

test("a rejection that was not handled before the restart leads to the next draft", async () => {
  const first = await aCore({ upstream });
  const id = await aPlannedTask(first);
  await reject(dyingAtCommit(first), id, "短くして");

  const core = await revive(first);

  expect(await inputOf(core, await drafterOf(core, id))).toMatchObject({
    rejections: [{ version: 1, reason: "短くして" }],
  });
});

test("restarts of the daemon do not change a task that waits for a person", async () => {
  const first = await aCore({ upstream });
  const id = await aPlannedTask(first);
  const before = await first.store.lastEventSeq();

  await revive(await revive(await revive(first)));

  expect(await first.store.lastEventSeq()).toBe(before);
  expect(await first.store.listUnsettledTaskAgents(id)).toEqual([]);
});

test("the advancer retries a failed pass until it succeeds", async () => {
  const core = await aCore({ upstream });
  const { id } = await askFor(dyingAtCommit(core));
  let failures = 2;
  const flaky = {
    ...core,
    store: {
      ...core.store,
      getTask: (asked: string) => {
        if (failures-- > 0) throw new Error("the disk is full");
        return core.store.getTask(asked);
      },
    },
  };
  const advancer = createTaskAdvancer(() => flaky);

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  advancer.advanceSoon(id);
  for (let second = 0; second < 3; second++) {
    await advancer.idle();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await advancer.close();

  expect(await rolesOf(core, id)).toEqual(["task-analyst"]);
});

test("an awaited pass of the advancer rejects when it fails, and is not retried by the advancer", async () => {
  const core = await aCore({ upstream });
  const { id } = await askFor(dyingAtCommit(core));
  let passes = 0;
  const failing = {
    ...core,
    store: {
      ...core.store,
      getTask: () => {
        passes++;
        throw new Error("the disk is full");
      },
    },
  };
  const advancer = createTaskAdvancer(() => failing);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());

  const both = await Promise.allSettled([advancer.advance(id), advancer.advance(id)]);
  await vi.advanceTimersByTimeAsync(5_000);
  await advancer.close();

  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(passes).toBe(2);
  await expect(advancer.advance(id)).rejects.toThrow("The daemon stops.");
});

test("the advancer runs one pass at a time per task and coalesces requests into one more pass", async () => {
  const core = await aCore({ upstream });
  const task = aTask({ status: "awaiting_prompt_approval" });
  await core.store.transaction((unit) => unit.insertTask(task));
  let running = 0;
  const seen: number[] = [];
  const watched = {
    ...core,
    store: {
      ...core.store,
      async getTask(id: string) {
        seen.push(++running);
        const found = await core.store.getTask(id);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return found;
      },
    },
  };
  const advancer = createTaskAdvancer(() => watched);

  for (let asked = 0; asked < 5; asked++) advancer.advanceSoon(task.id);
  await advancer.idle();

  expect(seen).toEqual([1, 1]);
});

test("the client keys of a task that is over are forgotten", async () => {
  const core = await aCore({ upstream });
  const task = aTask({ status: "cancelled" });
  await core.store.transaction((unit) => unit.insertTask(task));
  core.clientKeys.remember(task.id, { CURSOR_API_KEY: "k" });

  core.advanceSoon(task.id);
  await core.quiet();

  expect(core.clientKeys.of(task.id)).toEqual({});
});
