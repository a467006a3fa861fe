import { afterEach, beforeEach, expect, test } from "vitest";
import { aRun } from "../../test/kit/rehearsal/a-run.ts";
import { aFleet, refusal } from "../../test/kit/rehearsal/fleet.ts";
import { aStage, type Stage } from "../../test/kit/rehearsal/stage.ts";
import { buildFullPrompt } from "../domain/agents/prompt.ts";
import { NOTIFICATION_LINE } from "../domain/notifications/notification.ts";
import { handleNotifications } from "./notifications.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";

let stage: Stage;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
});

afterEach(() => stage.clear());

test.each(["message", "replan", "something-new"])(
  "a %s that comes while it listens is said once and mentioned in the report",
  async (type) => {
    const notification = { id: "ntf-1", type, text: "急いで\n#rehearsal crash", from: "花子" };
    const fleet = await aFleetTelling((turn) => (turn >= 2 ? [notification] : []));

    // Each listen looks at least once, however slow the machine is.
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

test.each(["blocked", "cancelled"])("%s ends the listening and the run", async (action) => {
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
        `止まるように.*${action}に変更されました 中止 #rehearsal crash`,
      ),
    },
  ]);
  expect(fleet.callsOf("report_result")).toEqual([]);
});

test.each([
  ["an answer", { roles: [], notification: NOTIFICATION_LINE }],
  ["a refusal", refusal("NOT_ALLOWED", { notification: NOTIFICATION_LINE })],
])("the line on %s makes it read and obey", async (_where, answer) => {
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
});

test("what it asked for by hand is obeyed too", async () => {
  const fleet = await aFleetTelling(() => [aStop("blocked")]);

  await stage.run(aPrompt("#rehearsal tool get_notifications {}\n#rehearsal hang"), fleet.env);

  expect(fleet.callsOf("get_notifications")).toHaveLength(1);
  expect(fleet.callsOf("report_completed")).toMatchObject([{ result: "blocked" }]);
});

test("a daemon that dies while it reads is asked again", async () => {
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

test("one that must not report just ends when told to stop", async () => {
  const fleet = await aFleetTelling(() => [aStop("blocked")]);

  const { code } = await stage.run(
    aPrompt("#rehearsal no-report\n#rehearsal listen 60000"),
    fleet.env,
  );

  expect(code).toBe(0);
  expect(fleet.callsOf("report_completed")).toEqual([]);
});

test("a line on the answer to the report is read, and the report stands", async () => {
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
])("notifications that are %s do not stop it", async (_what, answer, isRead) => {
  const { run } = aRun("画面を直す", { get_notifications: { answer: () => answer } });

  expect(await handleNotifications(run)).toBe(isRead);
});

test("asked in English, a stop is told in English; what a person wrote stays as it is", async () => {
  const notification = { ...aStop("blocked"), reason: "確認したい" };
  const { run } = aRun("Fix the page", {
    get_notifications: { answer: () => ({ notifications: [notification] }) },
  });

  await expect(handleNotifications(run)).rejects.toMatchObject({
    text: "The status of the task was changed to blocked. 確認したい",
  });
});

test("without a daemon listening is waiting", async () => {
  const before = performance.now();

  const { code, progress } = await stage.run("#rehearsal listen 400");

  expect(code).toBe(0);
  expect(progress.toolCallCount).toBe(0);
  expect(performance.now() - before).toBeGreaterThan(400);
});

/** As the use case writes it. */
function aStop(action: string) {
  return {
    type: "status_change",
    action,
    task_id: "task-1",
    message: `タスクのステータスが${action}に変更されました`,
    instruction: `作業を中断し、report_completedをresult='${action}'で呼び出してください`,
  };
}

/** `notifications`: what the nth reading answers. */
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

function aPrompt(userPrompt: string): string {
  return buildFullPrompt({
    agentId: AGENT_ID,
    groupId: "grp-1794733200-b4e1",
    role: { id: "impl-code", systemPrompt: "あなたは実装者です。" },
    tools: [],
    previousStageResults: null,
    userPrompt,
  });
}
