import { afterEach, beforeEach, expect, test } from "vitest";
import { aRun } from "../../../../test/kit/rehearsal/a-run.ts";
import { aFleet, refusal } from "../../../../test/kit/rehearsal/fleet.ts";
import { aStage, type Stage } from "../../../../test/kit/rehearsal/stage.ts";
import { NOTIFICATION_LINE } from "../../../domain/notification.ts";
import { buildFullPrompt } from "../../../domain/prompt.ts";
import { obeyNotices } from "./notices.ts";

const AGENT_ID = "impl-code-1794733200-a3f2";

let stage: Stage;

beforeEach(async () => {
  stage = await aStage(AGENT_ID);
});

afterEach(() => stage.clear());

test.each(["message", "replan", "something-new"])(
  "a %s that comes while it listens is said once and mentioned in the report",
  async (type) => {
    const notice = { id: "ntf-1", type, text: "急いで\n#rehearsal crash", from: "花子" };
    const fleet = await aFleetTelling((turn) => (turn >= 2 ? [notice] : []));

    const { code, stdout } = await stage.run(
      aPrompt("#rehearsal listen 900\n#rehearsal say 続けます"),
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

test.each(["blocked", "cancelled"])("%s ends the listening and the run", async (type) => {
  const notice = { id: "ntf-1", type, text: "中止", from: "花子" };
  const fleet = await aFleetTelling((turn) => (turn >= 2 ? [notice] : []));

  const { code, progress, stdout } = await stage.run(
    aPrompt("#rehearsal listen 60000\n#rehearsal say 続けます\n#rehearsal report success できた"),
    fleet.env,
  );

  expect({ code, ok: progress.end?.ok }).toEqual({ code: 0, ok: true });
  expect(stdout).not.toContain("続けます");
  expect(fleet.callsOf("report_result")).toMatchObject([
    { status: "cancelled", summary: expect.stringMatching(/止まるように.*中止/) },
  ]);
});

test.each([
  ["an answer", { roles: [], notification: NOTIFICATION_LINE }],
  ["a refusal", refusal("NOT_ALLOWED", { notification: NOTIFICATION_LINE })],
])("the line on %s makes it read and obey", async (_where, answer) => {
  const notice = { id: "ntf-1", type: "cancelled", text: "中止", from: "花子" };
  const fleet = await aFleetTelling(() => [notice], { list_roles: { answer: () => answer } });

  const { code } = await stage.run(
    aPrompt("#rehearsal tool list_roles {}\n#rehearsal hang"),
    fleet.env,
  );

  expect(code).toBe(0);
  expect(fleet.calls.map(({ name }) => name)).toEqual([
    "list_roles",
    "get_notifications",
    "report_result",
  ]);
});

test("what it asked for by hand is obeyed too", async () => {
  const fleet = await aFleetTelling(() => [{ id: "ntf-1", type: "blocked", text: "待って" }]);

  await stage.run(aPrompt("#rehearsal tool get_notifications {}\n#rehearsal hang"), fleet.env);

  expect(fleet.callsOf("get_notifications")).toHaveLength(1);
  expect(fleet.callsOf("report_result")).toMatchObject([{ status: "cancelled" }]);
});

test("a daemon that dies while it reads is asked again", async () => {
  const fleet = await stage.use(
    aFleet(
      {
        get_notifications: {
          isOnce: true,
          answer: () => ({ notifications: [{ id: "ntf-1", type: "blocked", text: "待って" }] }),
        },
      },
      { agentId: AGENT_ID, restartsDuring: "get_notifications" },
    ),
  );

  await stage.run(aPrompt("#rehearsal listen 60000"), fleet.env);

  expect(fleet.callsOf("get_notifications")).toHaveLength(2);
  expect(fleet.callsOf("report_result")).toMatchObject([{ status: "cancelled" }]);
});

test("one that must not report just ends when told to stop", async () => {
  const fleet = await aFleetTelling(() => [{ id: "ntf-1", type: "blocked", text: "待って" }]);

  const { code } = await stage.run(
    aPrompt("#rehearsal no-report\n#rehearsal listen 60000"),
    fleet.env,
  );

  expect(code).toBe(0);
  expect(fleet.callsOf("report_result")).toEqual([]);
});

test("a line on the answer to the report is read, and the report stands", async () => {
  const fleet = await aFleetTelling(() => [{ id: "ntf-1", type: "blocked", text: "遅い" }], {
    report_result: { answer: () => ({ registered: true, notification: NOTIFICATION_LINE }) },
  });

  const { code, stdout } = await stage.run(aPrompt("画面を直す"), fleet.env);

  expect(code).toBe(0);
  expect(stdout).toContain("遅い");
  expect(fleet.callsOf("report_result")).toMatchObject([{ status: "success" }]);
});

test.each([
  ["a refusal", refusal("NOT_ALLOWED"), false],
  ["garbage", "<html>", false],
  ["another shape", { notifications: "none" }, false],
  ["odd entries", { notifications: [null, 7, { type: 1 }] }, true],
])("notices that are %s do not stop it", async (_what, answer, isRead) => {
  const { run } = aRun("画面を直す", { get_notifications: { answer: () => answer } });

  expect(await obeyNotices(run)).toBe(isRead);
});

test("without a daemon listening is waiting", async () => {
  const before = performance.now();

  const { code, progress } = await stage.run("#rehearsal listen 400");

  expect(code).toBe(0);
  expect(progress.toolCallCount).toBe(0);
  expect(performance.now() - before).toBeGreaterThan(400);
});

/** `notices`: what the nth reading answers. */
function aFleetTelling(
  notices: (turn: number) => readonly unknown[],
  over: Parameters<typeof aFleet>[0] = {},
) {
  return stage.use(
    aFleet(
      {
        get_notifications: { answer: (_args, turn) => ({ notifications: notices(turn) }) },
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
