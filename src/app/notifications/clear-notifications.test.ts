import { expect, test } from "vitest";
import { aCore, dyingAtCommit, ended, type TestCore } from "../../../test/kit/core.ts";
import { aRunningAgent, main } from "../../../test/kit/running-agent.ts";
import {
  aRunningTask,
  aTaskAgent,
  callAs,
  EXECUTOR,
  QUEUED,
} from "../../../test/kit/running-task.ts";
import type { AgentId } from "../../domain/ids.ts";
import { recordObservations } from "../agents/record-observations.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import { LOCAL_USER, type Core } from "../core.ts";
import { changeTaskStatus } from "../tasks/change-task-status.ts";
import { sendMessage } from "./send-message.ts";

async function aBlockedTask(): Promise<TestCore> {
  const core = await aCore();
  await aRunningTask(core);
  await block(core);
  return core;
}

function block(core: Core, status: "blocked" | "cancelled" = "blocked") {
  return changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status });
}

async function clearedEvents(core: Core) {
  const events = await core.store.listTaskEvents("task-01", 0, 100);
  return events.filter(({ type }) => type === "notification:cleared").map(({ data }) => data);
}

test("an agent's end and the clearing of its stop notification are one commit", async () => {
  const core = await aBlockedTask();

  await recordObservations(dyingAtCommit(core), [ended(EXECUTOR, { exitCode: 143 })]);

  expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ process: "ended" });
  expect(await core.store.listTaskNotifications("task-01")).toMatchObject([
    { status: "cleared", clearReason: "ended" },
  ]);
});

test("an agent's end and the clearing of an unread message are one commit", async () => {
  const core = await aCore();
  const agentId = await aRunningAgent(core);
  const { id } = await sendMessage(core, main, { agentId, text: "急いで", from: "local" });

  await recordObservations(dyingAtCommit(core), [ended(agentId)]);

  expect(await core.store.getNotification(id)).toMatchObject({
    status: "cleared",
    clearReason: "ended",
  });
});

test("cancelling a queued agent and clearing its unread message are one commit", async () => {
  const core = await aCore();
  await aRunningTask(core);
  const agentId: AgentId = await aTaskAgent(core, { ...QUEUED, id: "impl-code-1-0009" });
  const { id } = await sendMessage(core, main, { agentId, text: "急いで", from: "local" });

  await stopAgent(dyingAtCommit(core), agentId, "cancelled");

  expect(await core.store.getNotification(id)).toMatchObject({
    status: "cleared",
    clearReason: "ended",
  });
});

test("an agent that ends before it reads a stop notification does not count as having reported", async () => {
  const core = await aBlockedTask();
  await core.observe(ended(EXECUTOR, { exitCode: 143 }));

  expect(await clearedEvents(core)).toMatchObject([{ clearReason: "ended", wasRead: false }]);
  expect(await core.store.getAgent(EXECUTOR)).not.toMatchObject({ status: "resultReported" });
});

test("an agent that reads a stop notification and ends without a report does not count as having reported", async () => {
  const core = await aBlockedTask();
  await callAs(core, EXECUTOR, "get_notifications");
  await core.observe(ended(EXECUTOR, { exitCode: 143 }));

  expect(await clearedEvents(core)).toMatchObject([{ clearReason: "ended", wasRead: true }]);
});

test("an agent that reads a stop notification and reports counts as having reported", async () => {
  const core = await aBlockedTask();
  await callAs(core, EXECUTOR, "get_notifications");
  await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });

  expect(await clearedEvents(core)).toMatchObject([{ clearReason: "reported", wasRead: true }]);
});

test("an agent's own result, followed by its end, counts as its report", async () => {
  const core = await aCore();
  await aRunningTask(core);
  const child = await aTaskAgent(core, { id: "impl-code-1-0009" });
  await block(core);
  await callAs(core, child, "report_result", {
    agentId: child,
    status: "success",
    summary: "できた",
    response: "できた",
  });
  await core.observe(ended(child));

  expect(await clearedEvents(core)).toMatchObject([
    { agentId: child, clearReason: "reported", wasRead: false },
  ]);
});

test("a newer stop notification replaces an older one", async () => {
  const core = await aBlockedTask();
  await block(core, "cancelled");

  expect(await core.store.listTaskNotifications("task-01")).toMatchObject([
    { type: "blocked", status: "cleared", clearReason: "replaced" },
    { type: "cancelled", status: "pending", clearReason: null },
  ]);
});
