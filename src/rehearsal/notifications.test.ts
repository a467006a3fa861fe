import { afterEach, beforeEach, expect, test } from "vitest";
import { aRun } from "../../test/kit/rehearsal/a-run.ts";
import { anAgentPrompt } from "../../test/kit/rehearsal/agent-prompt.ts";
import { aFleet, refusal } from "../../test/kit/rehearsal/fleet.ts";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";
import { NOTIFICATION_LINE } from "../domain/notifications/notification.ts";
import { handleNotifications } from "./notifications.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";
const aPrompt = (userPrompt: string): string => anAgentPrompt(AGENT_ID, userPrompt);

let stage: Stage;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
});

afterEach(() => stage.clear());

test.each(["message", "replan", "something-new"])(
  "a %s that arrives during listen is printed once and mentioned in the report",
  async (type) => {
    const notification = { id: "ntf-1", type, text: "急いで\n#rehearsal crash", from: "花子" };
    const fleet = await aFleetTelling((turn) => (turn >= 2 ? [notification] : []));

    // Each listen reads at least once, however slow the machine is.
    const { code, stdout } = await stage.run(
      aPrompt(`${"#rehearsal listen 300\n".repeat(3)}#rehearsal say 続けます`),
      fleet.env,
    );

    expect(code).toBe(0);
    expect(stdout).toContain("続けます");
    expect(fleet.callsOf("get_notifications").length).toBeGreaterThan(2);
    const [report] = fleet.callsOf("report_result");
    expect(report).toMatchObject({ status: "success" });
    expect(
      String(report?.response).match(/花子 から\): 「急いで #rehearsal crash」/g),
    ).toHaveLength(1);
  },
);

test.each(["blocked", "cancelled"])("a %s notification ends listen and the run", async (action) => {
  const notification = { ...aStop(action), reason: "中止\n#rehearsal crash" };
  const fleet = await aFleetTelling((turn) => (turn >= 2 ? [notification] : []));

  const { code, progress, stdout } = await stage.run(
    aPrompt("#rehearsal listen 60000\n#rehearsal say 続けます\n#rehearsal report success できた"),
    fleet.env,
  );

  expect({ code, ok: progress.end?.ok }).toEqual({ code: 0, ok: true });
  expect(stdout).not.toContain("続けます");
  expect(fleet.callsOf("report_completed")).toMatchObject([
    {
      result: action,
      summary: expect.stringMatching(
        `「中止 #rehearsal crash」との理由で(ブロック|中止)されたため`,
      ),
    },
  ]);
  expect(fleet.callsOf("report_result")).toEqual([]);
});

test.each([
  ["an answer", { roles: [], notification: NOTIFICATION_LINE }],
  ["a refusal", refusal("NOT_ALLOWED", { notification: NOTIFICATION_LINE })],
])(
  "the notification line on %s makes the agent read and follow the notification",
  async (_where, answer) => {
    const fleet = await aFleetTelling(() => [aStop("cancelled")], {
      list_roles: { answer: () => answer },
    });

    const { code } = await stage.run(
      aPrompt("#rehearsal tool list_roles {}\n#rehearsal hang"),
      fleet.env,
    );

    expect(code).toBe(0);
    expect(fleet.calls.map(({ name }) => name)).toEqual([
      "list_roles",
      "get_notifications",
      "report_completed",
    ]);
  },
);

test("a notification that a directive reads is followed too", async () => {
  const fleet = await aFleetTelling(() => [aStop("blocked")]);

  await stage.run(aPrompt("#rehearsal tool get_notifications {}\n#rehearsal hang"), fleet.env);

  expect(fleet.callsOf("get_notifications")).toHaveLength(1);
  expect(fleet.callsOf("report_completed")).toMatchObject([{ result: "blocked" }]);
});

test("reading notifications is retried if the daemon dies meanwhile", async () => {
  const fleet = await stage.use(
    aFleet(
      {
        get_notifications: {
          isOnce: true,
          answer: () => ({ notifications: [aStop("blocked")] }),
        },
      },
      { agentId: AGENT_ID, restartsDuring: "get_notifications" },
    ),
  );

  await stage.run(aPrompt("#rehearsal listen 60000"), fleet.env);

  expect(fleet.callsOf("get_notifications")).toHaveLength(2);
  expect(fleet.callsOf("report_completed")).toMatchObject([{ result: "blocked" }]);
});

test("an interrupted run with no-report just ends", async () => {
  const fleet = await aFleetTelling(() => [aStop("blocked")]);

  const { code } = await stage.run(
    aPrompt("#rehearsal no-report\n#rehearsal listen 60000"),
    fleet.env,
  );

  expect(code).toBe(0);
  expect(fleet.callsOf("report_completed")).toEqual([]);
});

test("a notification on the answer to the report is read, and the report stays", async () => {
  const fleet = await aFleetTelling(() => [aStop("blocked")], {
    report_result: { answer: () => ({ registered: true, notification: NOTIFICATION_LINE }) },
  });

  const { code, stdout } = await stage.run(aPrompt("画面を直す"), fleet.env);

  expect(code).toBe(0);
  expect(stdout).toContain("blockedに変更されました");
  expect(fleet.callsOf("report_result")).toMatchObject([{ status: "success" }]);
});

test.each([
  ["a refusal", refusal("NOT_ALLOWED"), false],
  ["garbage", "<html>", false],
  ["another shape", { notifications: "none" }, false],
  ["odd entries", { notifications: [null, 7, { type: 1 }] }, true],
  ["a change to another status", { notifications: [aStop("in_progress")] }, true],
])("notifications that are %s do not interrupt the run", async (_what, answer, isRead) => {
  const { run } = aRun("画面を直す", { get_notifications: { answer: () => answer } });

  expect(await handleNotifications(run)).toBe(isRead);
});

test("a stop notification is printed in the language of the request, with the person's text unchanged", async () => {
  const notification = { ...aStop("blocked"), reason: "確認したい" };
  const { run } = aRun("Fix the page", {
    get_notifications: { answer: () => ({ notifications: [notification] }) },
  });

  await expect(handleNotifications(run)).rejects.toMatchObject({
    reason: "確認したい",
  });
});

test("listen without a daemon just waits", async () => {
  const before = performance.now();

  const { code, progress } = await stage.run("#rehearsal listen 400");

  expect(code).toBe(0);
  expect(progress.toolCallCount).toBe(0);
  expect(performance.now() - before).toBeGreaterThan(400);
});

/** The stop notification as the specification defines it. */
function aStop(action: string) {
  return {
    type: "status_change",
    action,
    task_id: "task-1",
    message: `タスクのステータスが${action}に変更されました`,
    instruction: `作業を中断し、report_completedをresult='${action}'で呼び出してください`,
  };
}

/** `notifications`: the answer of the nth read. */
function aFleetTelling(
  notifications: (turn: number) => readonly unknown[],
  over: Parameters<typeof aFleet>[0] = {},
) {
  return stage.use(
    aFleet(
      {
        get_notifications: { answer: (_args, turn) => ({ notifications: notifications(turn) }) },
        ...over,
      },
      { agentId: AGENT_ID },
    ),
  );
}
