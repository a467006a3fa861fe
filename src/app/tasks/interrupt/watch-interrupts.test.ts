import { describe, expect, test, vi } from "vitest";
import { audited } from "../../../../test/kit/approvals.ts";
import { aCore, ended, started, type TestCore } from "../../../../test/kit/core.ts";
import { withFakeDeadlines } from "../../../../test/kit/fake-deadlines.ts";
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

/** Starts the next daemon on the same data `laterMs` later, as `serve` does. */
async function afterKill(dead: TestCore, laterMs = 1_000) {
  const next = await aCore({
    store: dead.store,
    now: dead.clock.now() + laterMs,
    settings: { interrupt: dead.settings.interrupt },
  });
  const faked = withFakeDeadlines(next);
  await redeliverNotifications(faked.core);
  await resumeAgents(faked.core);
  await watchInterrupts(faked.core);
  return faked;
}

const notificationsOf = (core: Core) => core.store.listTaskNotifications("task-01");
const lineOf = async (core: Core) =>
  (await callAs(core, EXECUTOR, "report_result", {})).answer["notification"];

describe("an agent that does not stop", () => {
  test("and makes no calls is hard-stopped at its deadline, and the audit records it", async () => {
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
    // The agent's process still runs, so none of its calls may be forwarded.
    expect(await core.store.listStopNotifications(EXECUTOR)).toHaveLength(1);

    await core.observe(ended(EXECUTOR, { exitCode: 143 }));
    await core.quiet();

    expect(await notificationsOf(core)).toMatchObject([{ status: "cleared" }]);
    expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ status: "cancelled" });
    expect(await core.store.getResult(EXECUTOR)).toMatchObject({
      status: "cancelled",
      errorMessage: expect.stringContaining("stop notification"),
    });
    expect(await core.store.getTask("task-01")).toMatchObject({ status: "blocked" });
    expect(await core.store.getExecution("exe-01")).toMatchObject({ status: "blocked" });
  });

  test("has its own deadline, counted from its stop notification", async () => {
    const { core, deadlines } = withFakeDeadlines(await aTaskInProgress());
    const child = await aTaskAgent(core, {});
    await aTaskAgent(core, { ...QUEUED, id: "impl-code-1-0009" });

    await block(core);

    expect(deadlines).toEqual(
      [EXECUTOR, child].map((agentId) => ({ agentId, name: "interrupt", inMs: 120_000 })),
    );
  });

  test("is never hard-stopped with hardStopAfter_ms = 0", async () => {
    const { core, deadlines } = withFakeDeadlines(await aTaskInProgress(0));

    await block(core);

    expect(deadlines).toEqual([]);
  });

  test("is not hard-stopped at the deadline if it has reported in time", async () => {
    const { core, pass } = withFakeDeadlines(await aTaskInProgress());
    await block(core);
    await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });

    pass("interrupt");
    await core.quiet();

    expect(core.stops).toEqual([]);
  });
});

describe("after a kill -9 of the daemon", () => {
  test("right after the block, the stop notification and its deadline are kept", async () => {
    const dead = await aTaskInProgress();
    await block(dead);

    const { core, deadlines } = await afterKill(dead, 30_000);

    expect(await core.store.getTask("task-01")).toMatchObject({ status: "blocked" });
    expect(deadlines).toContainEqual({ agentId: EXECUTOR, name: "interrupt", inMs: 120_000 });
    expect(await lineOf(core)).toBe(LINE);
  });

  test("a notification that was only announced is announced again", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await lineOf(dead);

    const { core } = await afterKill(dead);

    expect(await lineOf(core)).toBe(LINE);
  });

  test("a stop notification read long ago is redelivered, as the answer may not have arrived", async () => {
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

  test("the stop notification of an agent that has reported stays cleared", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await callAs(dead, EXECUTOR, "report_completed", { result: "blocked" });

    const { core, deadlines } = await afterKill(dead);

    expect(await lineOf(core)).toBeUndefined();
    expect(deadlines.map(({ name }) => name)).not.toContain("interrupt");
  });

  test("the open stop notifications of an agent that has ended are cleared", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    await dead.store.transaction(async (unit) => {
      const agent = await unit.getAgent(EXECUTOR);
      if (agent) await unit.updateAgent({ ...agent, status: "lost", process: "ended" }, agent);
    });

    const { core, deadlines } = await afterKill(dead);

    expect(await notificationsOf(core)).toMatchObject([{ status: "cleared" }]);
    expect(deadlines).toEqual([]);
  });

  test("an agent whose deadline passed without a daemon is hard-stopped at the next start", async () => {
    const dead = await aTaskInProgress();
    await block(dead);
    const core = await aCore({ store: dead.store, now: dead.clock.now() + HOUR_MS });

    await watchInterrupts(core);

    await vi.waitFor(() => expect(core.stops).toMatchObject([{ agentId: EXECUTOR }]), 60_000);
  });

  test("a hard stop that was recorded is continued by the next daemon and audited once", async () => {
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

  test("the drafting agent of a cancelled task is stopped", async () => {
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

  test("a message read just before the kill is redelivered, an earlier one is not", async () => {
    const dead = await aTaskInProgress();
    const send = (text: string) =>
      sendMessage(dead, LOCAL_USER, { agentId: EXECUTOR, text, from: "花子" });
    await send("古い");
    await callAs(dead, EXECUTOR, "get_notifications");
    dead.advance(60_000);
    await send("新しい");
    await callAs(dead, EXECUTOR, "get_notifications");

    const { core } = await afterKill(dead, HOUR_MS);

    expect((await callAs(core, EXECUTOR, "get_notifications")).answer).toMatchObject({
      notifications: [{ type: "message", text: "新しい" }],
    });
  });

  test("a message to an agent that has ended is not redelivered", async () => {
    const dead = await aTaskInProgress();
    await sendMessage(dead, LOCAL_USER, { agentId: EXECUTOR, text: "x", from: "花子" });
    await callAs(dead, EXECUTOR, "get_notifications");
    await dead.observe(started(EXECUTOR), ended(EXECUTOR));

    const { core } = await afterKill(dead);

    expect(await core.store.listOpenNotifications(EXECUTOR)).toEqual([]);
  });
});
