import { describe, expect, test, vi } from "vitest";
import { audited } from "../../../../test/kit/approvals.ts";
import { NOON } from "../../../../test/kit/builders.ts";
import { aCore, ended, started, type TestCore } from "../../../../test/kit/core.ts";
import {
  aRunningTask,
  aTaskAgent,
  callAs,
  EXECUTOR,
  QUEUED,
} from "../../../../test/kit/running-task.ts";
import { resumeAgents } from "../../agents/resume-agents.ts";
import { LOCAL_USER, type Core } from "../../core.ts";
import { redeliverNotifications } from "../../notifications/redeliver-notifications.ts";
import { sendMessage } from "../../notifications/send-message.ts";
import { changeTaskStatus } from "../change-task-status.ts";
import { watchInterrupts } from "./watch-interrupts.ts";

const LINE = "通知があります。get_notificationsを呼び出して確認してください。";
const HOUR_MS = 60 * 60_000;

function block(core: Core, status: "blocked" | "cancelled" = "blocked") {
  return changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status });
}

async function aTaskInProgress(hardStopAfterMs = 120_000) {
  const core = await aCore({ settings: { interrupt: { hardStopAfterMs } } });
  await aRunningTask(core);
  return core;
}

/** The same core, with deadlines that are only written down. */
function noting(core: TestCore) {
  const deadlines: { agentId: string; name: string; inMs: number }[] = [];
  const dues: { readonly name: string; readonly due: () => void }[] = [];
  const noted: TestCore = {
    ...core,
    deadlines: {
      ...core.deadlines,
      set(agentId, name, at, due) {
        deadlines.push({ agentId, name, inMs: at - NOON });
        dues.push({ name, due });
      },
    },
  };
  const pass = (name: string) =>
    dues.filter((each) => each.name === name).forEach(({ due }) => due());
  return { core: noted, deadlines, pass };
}

/** What `serve` does: the next daemon on the same data, so much later. */
async function afterKill(dead: TestCore, laterMs = 1_000) {
  const next = await aCore({
    store: dead.store,
    now: dead.clock.now() + laterMs,
    settings: { interrupt: dead.settings.interrupt },
  });
  const noted = noting(next);
  await redeliverNotifications(noted.core);
  await resumeAgents(noted.core);
  await watchInterrupts(noted.core);
  return noted;
}

const notices = (core: Core) => core.store.listTaskNotifications("task-01");
const lineOf = async (core: Core) =>
  (await callAs(core, EXECUTOR, "report_result", {})).answer["notification"];

describe("an agent that does not stop", () => {
  test("and calls nothing is stopped by force at its deadline, and the record says so", async () => {
    const core = await aTaskInProgress(1);
    await block(core);

    await vi.waitFor(
      () => expect(core.stops).toEqual([{ agentId: EXECUTOR, signal: "SIGTERM" }]),
      60_000,
    );

    expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ stopReason: "interrupted" });
    expect((await audited(core)).at(-1)).toMatchObject({
      actor: "system",
      action: "agent.hard_stopped",
      subject: EXECUTOR,
      data: { taskId: "task-01", afterMs: 1, notifications: [{ type: "blocked" }] },
    });
    const events = await core.store.listTaskEvents("task-01", 0, 100);
    expect(events.map(({ type }) => type)).toContain("notification:expired");
    // Its process is not gone yet: nothing may be forwarded for it.
    expect(await core.store.listStopNotifications(EXECUTOR)).toHaveLength(1);

    await core.observe(ended(EXECUTOR, { exitCode: 143 }));
    await core.quiet();

    expect(await notices(core)).toMatchObject([{ status: "cleared" }]);
    expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ status: "cancelled" });
    expect(await core.store.getResult(EXECUTOR)).toMatchObject({
      status: "cancelled",
      errorMessage: expect.stringContaining("stop notification"),
    });
    expect(await core.store.getTask("task-01")).toMatchObject({ status: "blocked" });
    expect(await core.store.getExecution("exe-01")).toMatchObject({ status: "blocked" });
  });

  test("everyone has a deadline of their own, counted from the notice", async () => {
    const { core, deadlines } = noting(await aTaskInProgress());
    const child = await aTaskAgent(core, {});
    await aTaskAgent(core, { ...QUEUED, id: "impl-code-1-0009" });

    await block(core);

    expect(deadlines).toEqual(
      [EXECUTOR, child].map((agentId) => ({ agentId, name: "interrupt", inMs: 120_000 })),
    );
  });

  test("0 waits for ever", async () => {
    const { core, deadlines } = noting(await aTaskInProgress(0));

    await block(core);

    expect(deadlines).toEqual([]);
  });

  test("one that has reported in time is left alone at the deadline", async () => {
    const { core, pass } = noting(await aTaskInProgress());
    await block(core);
    await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });

    pass("interrupt");
    await core.quiet();

    expect(core.stops).toEqual([]);
  });
});

describe("kill -9", () => {
  test("right after the block: the notice and the deadline are there, counted from the block", async () => {
    const dead = await aTaskInProgress();
    await block(dead);

    const { core, deadlines } = await afterKill(dead, 30_000);

    expect(await core.store.getTask("task-01")).toMatchObject({ status: "blocked" });
    expect(deadlines).toContainEqual({ agentId: EXECUTOR, name: "interrupt", inMs: 120_000 });
    expect(await lineOf(core)).toBe(LINE);
  });

  test("after the line was said: it is said again", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await lineOf(dead);

    const { core } = await afterKill(dead);

    expect(await lineOf(core)).toBe(LINE);
  });

  test("after it was read, however long ago: whether the answer arrived is not known, so it is told again", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await callAs(dead, EXECUTOR, "get_notifications");

    const { core } = await afterKill(dead, HOUR_MS);

    expect(await lineOf(core)).toBe(LINE);
    expect((await callAs(core, EXECUTOR, "get_notifications")).answer).toMatchObject({
      notifications: [{ type: "status_change", action: "blocked" }],
    });
    const events = await core.store.listTaskEvents("task-01", 0, 100);
    expect(events.filter(({ type }) => type === "notification:reopened")).toHaveLength(1);
  });

  test("after its report, before it has ended: it stays cleared", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await callAs(dead, EXECUTOR, "report_completed", { result: "blocked" });

    const { core, deadlines } = await afterKill(dead);

    expect(await lineOf(core)).toBeUndefined();
    expect(deadlines.map(({ name }) => name)).not.toContain("interrupt");
  });

  test("after its end was written down, before the notices were cleared: they are now", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await dead.store.transaction(async (unit) => {
      const agent = await unit.getAgent(EXECUTOR);
      if (agent) await unit.updateAgent({ ...agent, status: "lost", process: "ended" }, agent);
    });

    const { core, deadlines } = await afterKill(dead);

    expect(await notices(core)).toMatchObject([{ status: "cleared" }]);
    expect(deadlines).toEqual([]);
  });

  test("past the deadline with no daemon running: stopped when the next one starts", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    const core = await aCore({ store: dead.store, now: dead.clock.now() + HOUR_MS });

    await watchInterrupts(core);

    await vi.waitFor(() => expect(core.stops).toMatchObject([{ agentId: EXECUTOR }]), 60_000);
  });

  test("after the forced stop was written down: the next daemon goes on with it, once", async () => {
    const dead = await aTaskInProgress(1);
    await block(dead);
    await vi.waitFor(() => expect(dead.stops).toHaveLength(1), 60_000);

    const { core, pass } = await afterKill(dead, HOUR_MS);
    pass("interrupt");
    await core.quiet();

    expect(core.stops).toEqual([{ agentId: EXECUTOR, signal: "SIGTERM" }]);
    const stops = (await audited(core)).filter(({ action }) => action === "agent.hard_stopped");
    expect(stops).toHaveLength(1);
  });

  test("after a cancel while it was drafted: the drafter is stopped all the same", async () => {
    const dead = await aCore();
    await aRunningTask(dead, {
      task: { status: "planning", executionId: null },
      execution: { status: "failed" },
      executor: null,
    });
    const drafter = await aTaskAgent(dead, { executionId: null });
    await block(dead, "cancelled");

    const { core } = await afterKill(dead);

    expect(core.stops).toEqual([{ agentId: drafter, signal: "SIGTERM" }]);
  });

  test("a message read in the last moments is told again; one read before that is not", async () => {
    const dead = await aTaskInProgress();
    const tell = (text: string) =>
      sendMessage(dead, LOCAL_USER, { agentId: EXECUTOR, text, from: "花子" });
    await tell("古い");
    await callAs(dead, EXECUTOR, "get_notifications");
    dead.advance(60_000);
    await tell("新しい");
    await callAs(dead, EXECUTOR, "get_notifications");

    const { core } = await afterKill(dead, HOUR_MS);

    expect((await callAs(core, EXECUTOR, "get_notifications")).answer).toMatchObject({
      notifications: [{ type: "message", text: "新しい" }],
    });
  });

  test("a message to an agent that has ended meanwhile is not brought back", async () => {
    const dead = await aTaskInProgress();
    await sendMessage(dead, LOCAL_USER, { agentId: EXECUTOR, text: "x", from: "花子" });
    await callAs(dead, EXECUTOR, "get_notifications");
    await dead.observe(started(EXECUTOR), ended(EXECUTOR));

    const { core } = await afterKill(dead);

    expect(await core.store.listOpenNotifications(EXECUTOR)).toEqual([]);
  });
});
