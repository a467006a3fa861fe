import { describe, expect, test } from "vitest";
import { aPerson, ask, audited } from "../../../test/kit/approvals.ts";
import { aGroup, anExecution, aToolCall } from "../../../test/kit/builders.ts";
import { aCore, ended, started, type TestCore } from "../../../test/kit/core.ts";
import {
  anOrchestrator,
  aRunningTask,
  aTaskAgent,
  callAs,
  EXECUTOR,
  ORCHESTRATOR,
  QUEUED,
} from "../../../test/kit/running-task.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { waitAgents } from "../agents/wait-agents.ts";
import { LOCAL_USER, type Core, type Identity } from "../core.ts";
import { changeTaskStatus, type ChangeTaskStatus } from "./change-task-status.ts";

function change(core: Core, over: Partial<ChangeTaskStatus> = {}, identity: Identity = LOCAL_USER) {
  return changeTaskStatus(core, identity, { taskId: "task-01", status: "blocked", ...over });
}

async function aTaskInProgress() {
  const core = await aCore();
  await aRunningTask(core);
  return core;
}

const execution = (core: Core) => core.store.getExecution("exe-01");
const notificationsOf = (core: Core) => core.store.listTaskNotifications("task-01");

async function processOf(core: Core, ids: readonly AgentId[]): Promise<Agent["process"][]> {
  return (await core.store.getAgents(ids)).map((agent) => agent.process);
}

/** All stored state that a change of the status could affect. */
async function everything(core: Core) {
  const { store } = core;
  return {
    task: await store.getTask("task-01"),
    execution: await execution(core),
    agents: await store.listTaskAgents("task-01"),
    notifications: await notificationsOf(core),
    events: await store.lastEventSeq(),
    audit: await audited(core),
  };
}

describe.each(["blocked", "cancelled"] as const)("%s", (status) => {
  test("wait_agent returns at once and announces the stop notification", async () => {
    const core = await aTaskInProgress();
    const [child = ""] = await anOrchestrator(core);
    const waiting = callAs(core, ORCHESTRATOR, "wait_agent", { agentIds: [child] });
    await core.quiet();

    await change(core, { status });

    expect((await waiting).answer).toMatchObject({
      completed: [],
      pending: [child],
      notification: expect.stringContaining("get_notifications"),
    });
  });

  test("forwarded calls are cancelled upstream and listed in the answer", async () => {
    const core = await aTaskInProgress();
    const [forwarded, entered, foreign] = [1, 2, 3].map(() => new AbortController());
    const call = { agentId: EXECUTOR, server: "hr", tool: "calculate_overtime" };
    await core.store.transaction((unit) =>
      unit.insertToolCall(aToolCall({ id: "call-1", agentId: EXECUTOR })),
    );
    core.calls.enter({ ...call, id: "call-1", abort: forwarded ?? new AbortController() });
    core.calls.enter({ ...call, id: "call-2", abort: entered ?? new AbortController() });
    core.calls.enter({
      ...call,
      agentId: "impl-code-1-0001",
      id: "call-3",
      abort: foreign ?? new AbortController(),
    });

    const { cancelledCalls } = await change(core, { status });

    expect(cancelledCalls).toEqual([call]);
    expect([forwarded, entered, foreign].map((each) => each?.signal.aborted)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("an execution whose executor ended without a report is settled at once", async () => {
    const core = await aCore();
    await aRunningTask(core, { executor: { status: "completed", process: "ended" } });

    const { stopping } = await change(core, { status });

    expect(stopping).toEqual([]);
    expect(await notificationsOf(core)).toEqual([]);
    expect(await execution(core)).toMatchObject({ status, stopFor: status });
  });

  test("a queued executor never starts", async () => {
    const core = await aCore();
    await aRunningTask(core, { executor: QUEUED });

    expect((await change(core, { status })).stopping).toEqual([EXECUTOR]);
    core.dispatchSoon();
    await core.quiet();

    expect(core.launches).toEqual([]);
    expect(await core.store.getAgent(EXECUTOR)).toMatchObject({
      status: "cancelled",
      process: "ended",
    });
    expect(await notificationsOf(core)).toEqual([]);
    expect(await execution(core)).toMatchObject({ status });
  });

  test("a parked execution is settled at once and its approvals are closed", async () => {
    const core = await aCore();
    const [step] = anExecution().steps;
    if (!step) throw new Error("a step");
    await aRunningTask(core, {
      executor: null,
      execution: {
        status: "waiting_for_human",
        steps: [{ ...step, status: "waiting_for_human", startedAt: core.clock.now() }],
      },
    });
    const approval = await ask(core, { taskId: "task-01", executionId: "exe-01" });

    await change(core, { status });

    expect(await execution(core)).toMatchObject({ status, steps: [{ status: "stopped" }] });
    expect(await core.store.getApproval(approval.id)).toMatchObject({ status: "cancelled" });
  });

  test("an orchestrator and its running sub-agents are notified, and queued sub-agents never start", async () => {
    const core = await aCore({ settings: { maxConcurrent: 1 } });
    await aRunningTask(core);
    const [running = "", queued = ""] = (await anOrchestrator(core)).map(String);
    await core.quiet();
    const first = (await core.store.listTaskAgents("task-01")).find(({ id }) => id === running);
    if (!first) throw new Error("the child");
    await core.observe(started(first.id));

    const { stopping } = await change(core, { status });

    expect(new Set(stopping)).toEqual(new Set([EXECUTOR, ORCHESTRATOR, running, queued]));
    expect((await notificationsOf(core)).map(({ agentId }) => agentId).toSorted()).toEqual(
      [EXECUTOR, ORCHESTRATOR, running].toSorted(),
    );
    expect(await core.store.getAgent(queued)).toMatchObject({ process: "ended" });
  });

  test("settling the agents of a stage does not start the next stage", async () => {
    const core = await aTaskInProgress();
    const stages = { total: 2, current: 0, onFailure: "continue" } as const;
    const groupId = "grp-1794733200-0c0c";
    await core.store.transaction(async (unit) => {
      await unit.insertGroup(aGroup({ id: groupId, mode: "sequential", stages }));
    });
    const staged = { ...QUEUED, groupId } as const;
    const early = await aTaskAgent(core, { ...staged, id: "a-1-0001", stageIndex: 0 });
    const late = await aTaskAgent(core, { ...staged, id: "b-1-0002", stageIndex: 1, held: true });

    await change(core, { status });
    await core.quiet();

    expect(await processOf(core, [early, late])).toEqual(["ended", "ended"]);
    expect(core.launches).toEqual([]);
  });

  test("repeating the change has no effect and returns the same answer", async () => {
    const core = await aTaskInProgress();
    const first = await change(core, { status, version: 1 });
    const before = await everything(core);

    const again = await change(core, { status, version: 1, reason: "もう一度" });

    expect(again).toEqual(first);
    expect(await everything(core)).toEqual(before);
  });

  test("a dry run lists the agents and calls it would stop and changes nothing", async () => {
    const core = await aTaskInProgress();
    await anOrchestrator(core);
    await core.store.transaction((unit) =>
      unit.insertToolCall(aToolCall({ id: "call-1", agentId: EXECUTOR })),
    );
    const abort = new AbortController();
    core.calls.enter({ id: "call-1", agentId: EXECUTOR, server: "hr", tool: "t", abort });
    await core.quiet();
    const before = await everything(core);

    const would = await change(core, { status, dryRun: true });

    expect(await everything(core)).toEqual(before);
    expect(abort.signal.aborted).toBe(false);
    const did = await change(core, { status });
    expect(would.stopping).toHaveLength(4);
    expect(would.stopping).toEqual(did.stopping);
    expect(would.cancelledCalls).toEqual(did.cancelledCalls);
    expect(would.task.status).toBe("in_progress");
  });

  test("the audit records the person, the agents to stop and the cancelled calls", async () => {
    const core = await aTaskInProgress();
    await core.store.transaction((unit) =>
      unit.insertToolCall(aToolCall({ id: "call-1", agentId: EXECUTOR })),
    );
    const call = { id: "call-1", agentId: EXECUTOR, server: "hr", tool: "t" } as const;
    core.calls.enter({ ...call, abort: new AbortController() });

    await change(core, { status, reason: "数字が違う" }, aPerson("hanako"));

    expect(await audited(core)).toEqual([
      {
        actor: "hanako",
        action: `task.${status}`,
        subject: "task-01",
        data: { reason: "数字が違う", agents: [EXECUTOR], calls: [call] },
      },
    ]);
  });

  test("events are emitted for the task, its execution and each notification", async () => {
    const core = await aTaskInProgress();
    const emitted: string[] = [];
    core.events.onAny(({ type, taskId }) => emitted.push(`${type} ${taskId}`));

    await change(core, { status });

    expect(emitted).toEqual(
      expect.arrayContaining([
        "task:updated task-01",
        "execution:updated task-01",
        "notification:created task-01",
      ]),
    );
  });
});

describe("cancelled", () => {
  test("the drafting agent is stopped at once, and pending approvals are closed", async () => {
    const core = await aCore();
    await aRunningTask(core, {
      task: { status: "designing", executionId: null },
      executor: null,
      execution: { status: "failed" },
    });
    const drafter = await aTaskAgent(core, { executionId: null, slot: "reserved" });
    const approval = await ask(core, { kind: "prompt", taskId: "task-01" });

    const { stopping } = await change(core, { status: "cancelled" });

    expect(stopping).toEqual([drafter]);
    expect(core.stops).toEqual([{ agentId: drafter, signal: "SIGTERM" }]);
    expect(await core.store.getAgent(drafter)).toMatchObject({ stopReason: "cancelled" });
    expect(await notificationsOf(core)).toEqual([]);
    expect(await core.store.getApproval(approval.id)).toMatchObject({ status: "cancelled" });
    expect(await core.store.getTask("task-01")).toMatchObject({ status: "cancelled" });
  });

  test("cancelling a blocked task replaces the stop notification of an agent that has not stopped yet", async () => {
    const core = await aTaskInProgress();
    await change(core);
    await callAs(core, EXECUTOR, "get_notifications");

    await change(core, { status: "cancelled" });

    const { answer } = await callAs(core, EXECUTOR, "get_notifications");
    expect(answer).toMatchObject({
      notifications: [
        {
          action: "cancelled",
          message: "タスクのステータスがcancelledに変更されました",
          instruction: "作業を中断し、report_completedをresult='cancelled'で呼び出してください",
        },
      ],
    });
    expect(answer["notifications"]).toHaveLength(1);
    expect(await execution(core)).toMatchObject({ status: "stopping", stopFor: "cancelled" });
  });
});

describe("in_progress", () => {
  test("unblocking starts the next execution, and the audit records the person", async () => {
    const core = await aTaskInProgress();
    await change(core);
    await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });
    await core.observe(ended(EXECUTOR));

    const { task, stopping } = await change(
      core,
      { status: "in_progress", reason: "直った" },
      aPerson("hanako"),
    );
    await core.quiet();

    expect(stopping).toEqual([]);
    expect(task).toMatchObject({ status: "in_progress", statusBy: "hanako" });
    const executions = await core.store.listExecutions("task-01");
    expect(executions).toMatchObject([
      { attempt: 1, status: "blocked" },
      { attempt: 2, status: "running" },
    ]);
    expect((await audited(core)).filter(({ action }) => action === "task.unblocked")).toEqual([
      {
        actor: "hanako",
        action: "task.unblocked",
        subject: "task-01",
        data: { reason: "直った", executionId: executions[1]?.id },
      },
    ]);
  });

  test("a dry run and a repeated unblock change nothing", async () => {
    const core = await aTaskInProgress();
    await change(core);
    const before = await everything(core);

    await change(core, { status: "in_progress", dryRun: true });
    expect(await everything(core)).toEqual(before);
    await change(core, { status: "in_progress" });
    const after = await everything(core);
    await change(core, { status: "in_progress" });
    expect(await everything(core)).toEqual(after);
  });
});

describe("refused", () => {
  test.each([
    ["an agent", { kind: "agent", agentId: EXECUTOR, role: "executor" } as const, "PERSON_NEEDED"],
    ["a viewer", aPerson("aoi", "viewer"), "NOT_ALLOWED"],
  ])("%s may not change the status", async (_name, identity, code) => {
    const core = await aTaskInProgress();

    await expect(change(core, {}, identity)).rejects.toMatchObject({ code });
  });

  test("any client may change the status without sign-in, only a known person with sign-in", async () => {
    const core = await aTaskInProgress();
    const client = { kind: "client", cwd: "/", keys: {} } as const;
    const withSignIn: TestCore = { ...core, people: { ...core.people, isEnabled: true } };

    await expect(change(withSignIn, {}, client)).rejects.toMatchObject({ code: "PERSON_NEEDED" });
    expect((await change(core, {}, client)).task.statusBy).toBe("local");
  });

  test("a change that names an outdated version of the task is refused", async () => {
    const core = await aTaskInProgress();

    await expect(change(core, { version: 7 })).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await expect(change(core, { version: 7, dryRun: true })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    expect((await change(core, { version: 1 })).task.status).toBe("blocked");
  });

  test.each([
    [{ taskId: "task-99" }, "TASK_NOT_FOUND"],
    [{ reason: "長".repeat(2_001) }, "INVALID_ARGUMENTS"],
  ])("%j: %s", async (over, code) => {
    const core = await aTaskInProgress();

    await expect(change(core, over)).rejects.toMatchObject({ code });
  });

  test.each(["completed", "failed", "cancelled"] as const)(
    "a %s task cannot be unblocked",
    async (status) => {
      const core = await aCore();
      await aRunningTask(core, { task: { status }, executor: null });

      const act = change(core, { status: "in_progress" });

      await expect(act).rejects.toMatchObject({ code: "TRANSITION_NOT_ALLOWED" });
    },
  );
});

test("a wait by a main agent continues: only agents of the task get stop notifications", async () => {
  const core = await aTaskInProgress();
  const input = { agentIds: [EXECUTOR], mode: "all", timeoutMs: null, cursor: null } as const;
  const waiting = waitAgents(
    core,
    { ...input, until: "result", maxBlockMs: 60_000 },
    { signal: new AbortController().signal, beat: () => {} },
  );

  await change(core);
  await core.observe(ended(EXECUTOR));

  expect((await waiting).completed).toHaveLength(1);
});
