import { describe, expect, test } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, ended } from "../../../test/kit/core.ts";
import {
  aRunningExecution,
  executor,
  pendingApproval,
  WRITE,
} from "../../../test/kit/execution.ts";
import {
  anOrchestrator,
  aRunningTask,
  aTaskAgent,
  callAs,
  EXECUTOR,
  ORCHESTRATOR,
  runMore,
} from "../../../test/kit/running-task.ts";
import { callGatewayTool } from "../../doors/mcp/gateway.ts";
import { LOCAL_USER, type Core } from "../core.ts";
import { changeTaskStatus } from "./change-task-status.ts";

/** One test per sentence of the use case 「タスク実行中にステータスを blocked に変更」, in its order. */

const LINE = "通知があります。get_notificationsを呼び出して確認してください。";
const BLOCKED = {
  type: "status_change",
  action: "blocked",
  task_id: "task-01",
  message: "タスクのステータスがblockedに変更されました",
  instruction: "作業を中断し、report_completedをresult='blocked'で呼び出してください",
};
/** Stands for 任意のMCPツール (any MCP tool). */
const ANY_TOOL = "report_progress";

function block(core: Core, over: { readonly reason?: string } = {}) {
  return changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked", ...over });
}

async function aBlockedTask() {
  const core = await aCore();
  await aRunningTask(core);
  await block(core);
  return core;
}

/** Calls a tool through the gateway and returns the texts of the answer. */
async function callGateway(core: Core, name: string): Promise<readonly string[]> {
  const { content } = await callGatewayTool(core, {
    name,
    args: {},
    identify: async () => executor,
    signal: new AbortController().signal,
    patienceMs: 60_000,
    beat: () => {},
    onProgress: () => {},
  });
  return content.flatMap((each) => (each.type === "text" ? [each.text] : []));
}

const statusOf = async (core: Core) => (await core.store.getTask("task-01"))?.status;
const notificationsOf = (core: Core) => core.store.listTaskNotifications("task-01");

test("概要: ステータスを「blocked」に変更した際、実行中のエージェントに通知し、作業を中断させる", async () => {
  const core = await aCore();
  await aRunningTask(core);

  await block(core);
  const { answer } = await callAs(core, EXECUTOR, "get_notifications");
  await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();

  expect(answer).toMatchObject({ notifications: [BLOCKED] });
  expect(await core.store.getAgent(EXECUTOR)).toMatchObject({ process: "ended" });
  expect(await statusOf(core)).toBe("blocked");
});

describe("前提条件", () => {
  test.each(["analyzing", "awaiting_prompt_approval", "completed", "failed"] as const)(
    "タスクのステータスが in_progress (%s では変更できない)",
    async (status) => {
      const core = await aCore();
      await aRunningTask(core, { task: { status }, executor: null });

      await expect(block(core)).rejects.toMatchObject({
        code: "TASK_NOT_IN_PROGRESS",
        hint: expect.stringContaining("Cancel"),
      });
      expect(await statusOf(core)).toBe(status);
    },
  );

  test("エージェントが当該タスクを実行中 (別のタスクのエージェントには通知されない)", async () => {
    const core = await aCore();
    await aRunningTask(core);
    const other = await aTaskAgent(core, { taskId: null, executionId: null });

    expect((await block(core)).stopping).toEqual([EXECUTOR]);

    expect((await callAs(core, other, "get_notifications")).answer).toEqual({ notifications: [] });
  });
});

describe("基本フロー", () => {
  test("1 ユーザー: タスクのステータスを blocked に変更", async () => {
    const core = await aCore();
    await aRunningTask(core);

    await expect(
      changeTaskStatus(core, aPerson("aoi", "viewer"), { taskId: "task-01", status: "blocked" }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    const { task, stopping } = await changeTaskStatus(core, aPerson("hanako"), {
      taskId: "task-01",
      status: "blocked",
      reason: " 月末まで待つ ",
    });

    expect(task).toMatchObject({
      status: "blocked",
      statusBy: "hanako",
      statusReason: "月末まで待つ",
    });
    expect(stopping).toEqual([EXECUTOR]);
  });

  test("2 システム: タスクのステータスを更新", async () => {
    const core = await aBlockedTask();

    expect(await core.store.getTask("task-01")).toMatchObject({ status: "blocked", version: 2 });
    expect(await core.store.getExecution("exe-01")).toMatchObject({
      status: "stopping",
      stopFor: "blocked",
    });
    const events = await core.store.listTaskEvents("task-01", 0, 100);
    expect(events.map(({ type }) => type)).toContain("task:updated");
  });

  test("3 システム: 対象エージェントへの通知レコードを作成", async () => {
    const core = await aBlockedTask();

    expect(await notificationsOf(core)).toMatchObject([
      { agentId: EXECUTOR, taskId: "task-01", type: "blocked", status: "pending", text: "" },
    ]);
  });

  test("4 エージェント: 任意のMCPツールを呼び出す 5 システム: レスポンスに通知ありのメッセージを含める", async () => {
    const core = await aBlockedTask();

    const { answer, isError } = await callAs(core, EXECUTOR, ANY_TOOL, { stepId: "step-1" });

    expect(isError).toBe(false);
    expect(answer["notification"]).toBe(LINE);
  });

  test("5 システム: 断られた呼び出しのレスポンスにも含める", async () => {
    const core = await aBlockedTask();

    const { answer, isError } = await callAs(core, EXECUTOR, ANY_TOOL, {});

    expect(isError).toBe(true);
    expect(answer).toMatchObject({ code: "INVALID_ARGUMENTS", notification: LINE });
  });

  test("5 システム: ゲートウェイの先のツールでも、待たされていた呼び出しでも", async () => {
    const { core, upstream } = await aRunningExecution();
    const waiting = callGateway(core, WRITE);
    await pendingApproval(core);

    await block(core);

    const texts = await Promise.all([waiting, callGateway(core, "list_employees")]);
    for (const [line, refusal] of texts) {
      expect(line).toBe(LINE);
      expect(JSON.parse(refusal ?? "")).toMatchObject({ error: true, code: "STOP_REQUESTED" });
    }
    expect(upstream.sent).toEqual([]);
  });

  test("6 エージェント: get_notifications を呼び出す 7 システム: 通知詳細を返却", async () => {
    const core = await aBlockedTask();
    await callAs(core, EXECUTOR, ANY_TOOL, {});

    const { answer } = await callAs(core, EXECUTOR, "get_notifications");

    expect(answer).toEqual({ notifications: [BLOCKED] });
    expect(await notificationsOf(core)).toMatchObject([{ status: "read" }]);
  });

  test("7 人が理由を書いたときだけ reason がある", async () => {
    const core = await aCore();
    await aRunningTask(core);
    await block(core, { reason: "数字が違う" });

    const { answer } = await callAs(core, EXECUTOR, "get_notifications");

    expect(answer).toEqual({ notifications: [{ ...BLOCKED, reason: "数字が違う" }] });
  });

  test("8 エージェント: 作業を中断 (新しいことは何も始められない)", async () => {
    const core = await aCore();
    await aRunningTask(core);
    await anOrchestrator(core);
    await block(core);
    await callAs(core, ORCHESTRATOR, "get_notifications");
    const before = await core.store.listUnsettledTaskAgents("task-01");

    const { answer } = await runMore(core);

    expect(answer).toMatchObject({
      code: "STOP_REQUESTED",
      hint: expect.stringContaining("report_completed"),
    });
    expect(await core.store.listUnsettledTaskAgents("task-01")).toEqual(before);
  });

  test("9 エージェント: report_completed を result='blocked' で呼び出す", async () => {
    const core = await aBlockedTask();
    await callAs(core, EXECUTOR, "get_notifications");

    const { isError } = await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });

    expect(isError).toBe(false);
    expect(await core.store.getResult(EXECUTOR)).toMatchObject({
      status: "cancelled",
      outcome: "blocked",
    });
  });

  test("10 システム: タスク完了を記録、通知をクリア", async () => {
    const core = await aBlockedTask();
    await callAs(core, EXECUTOR, "get_notifications");

    await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });

    expect(await core.store.getExecution("exe-01")).toMatchObject({
      status: "blocked",
      endedAt: core.clock.now(),
    });
    expect(await notificationsOf(core)).toMatchObject([{ status: "cleared" }]);
    expect((await callAs(core, EXECUTOR, "get_notifications")).answer).toEqual({
      notifications: [],
    });
  });
});

describe("通知内容", () => {
  test("notification フィールド: 一字一句この文", async () => {
    const core = await aBlockedTask();

    const { answer } = await callAs(core, EXECUTOR, ANY_TOOL, {});

    expect(answer["notification"]).toBe(
      "通知があります。get_notificationsを呼び出して確認してください。",
    );
  });

  test("get_notifications レスポンス: 一字一句この JSON", async () => {
    const core = await aBlockedTask();

    const { answer } = await callAs(core, EXECUTOR, "get_notifications");

    expect(JSON.stringify(answer)).toBe(
      '{"notifications":[{"type":"status_change","action":"blocked","task_id":"task-01",' +
        '"message":"タスクのステータスがblockedに変更されました",' +
        '"instruction":"作業を中断し、report_completedをresult=\'blocked\'で呼び出してください"}]}',
    );
  });
});

async function afterwards() {
  const core = await aBlockedTask();
  await callAs(core, EXECUTOR, "get_notifications");
  await callAs(core, EXECUTOR, "report_completed", { result: "blocked" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();
  return core;
}

describe("事後条件", () => {
  test("タスクのステータスが blocked", async () => {
    expect(await statusOf(await afterwards())).toBe("blocked");
  });

  test("エージェントの実行が完了", async () => {
    const core = await afterwards();

    expect(await core.store.getAgent(EXECUTOR)).toMatchObject({
      process: "ended",
      status: "resultReported",
    });
    expect(await core.store.getExecution("exe-01")).toMatchObject({ status: "blocked" });
  });

  test("通知レコードがクリア済み", async () => {
    expect(await notificationsOf(await afterwards())).toMatchObject([{ status: "cleared" }]);
  });
});

describe("例外フロー", () => {
  test("4a エージェントがMCPツールを呼び出さない: 通知は保持され、次回呼び出し時に検知", async () => {
    const core = await aBlockedTask();

    core.advance(3 * 24 * 60 * 60_000);

    expect(await notificationsOf(core)).toMatchObject([{ status: "pending" }]);
    expect((await callAs(core, EXECUTOR, ANY_TOOL, {})).answer["notification"]).toBe(LINE);
    expect(await notificationsOf(core)).toMatchObject([{ status: "announced" }]);
  });

  test("6a エージェントが get_notifications を呼び出さない: 次回のMCPツール呼び出しで再度通知", async () => {
    const core = await aBlockedTask();

    for (let call = 1; call <= 3; call++) {
      expect((await callAs(core, EXECUTOR, ANY_TOOL, {})).answer["notification"]).toBe(LINE);
    }
    await callAs(core, EXECUTOR, "get_notifications");

    expect((await callAs(core, EXECUTOR, ANY_TOOL, {})).answer["notification"]).toBeUndefined();
  });

  test("6a 読んだのに止まらない: get_notifications は何度でも同じ通知を返す", async () => {
    const core = await aBlockedTask();
    await callAs(core, EXECUTOR, "get_notifications");

    const { answer } = await callAs(core, EXECUTOR, "get_notifications");

    expect(answer).toEqual({ notifications: [BLOCKED] });
  });
});
