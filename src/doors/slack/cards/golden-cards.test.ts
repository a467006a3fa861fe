import type { KnownBlock } from "@slack/types";
import { expect, test } from "vitest";
import { decidedModal, rejectionModal } from "./modals.ts";
import { renderCard } from "./render-card.ts";
import type { CardName, CardViews, StepProgress } from "./views.ts";

/** The requirements of the cards give these messages word for word: every block, order and text. */

const AT = Date.UTC(2026, 3, 20, 5, 33, 12);
const WHEN = "<!date^1776663192^{date_short_pretty} {time_secs}|2026-04-20 05:33:12 UTC>";
const TASK = "01JSGX";
const VALUE = "v1:apr-1:1";
const BY = { name: "hana", slackUserId: "U12345" };
const CONTENT = "勤怠を集計し、Sheet に書き込みます。";
const JA = { locale: "ja" } as const;

const NAMES = [
  ["従業員一覧を取得", "list_employees"],
  ["勤怠データ取得", "list_attendance"],
  ["残業時間計算", "calculate_overtime"],
  ["Sheet 書き込み", "write_rows_to_google_sheet"],
  ["完了通知", "send_slack_dm"],
] as const;

/** One letter per step: done, running, failed or waiting. */
function steps(states: string): StepProgress[] {
  const statuses = { d: "done", r: "running", f: "failed" } as const;
  return NAMES.map(([title, tool], index) => {
    const letter = states[index];
    const status =
      letter === "d" || letter === "r" || letter === "f" ? statuses[letter] : "waiting";
    return {
      id: `step-${index + 1}`,
      order: index + 1,
      title,
      tool,
      requiresHumanCheck: false,
      status,
    };
  });
}

const STEPS_TEXT =
  "1. *従業員一覧を取得* — `list_employees`\n2. *勤怠データ取得* — `list_attendance`\n3. *残業時間計算* — `calculate_overtime`\n4. *Sheet 書き込み* — `write_rows_to_google_sheet`\n5. *完了通知* — `send_slack_dm`";

function header(text: string): KnownBlock {
  return { type: "header", text: { type: "plain_text", text, emoji: true } };
}

function section(text: string): KnownBlock {
  return { type: "section", text: { type: "mrkdwn", text } };
}

function context(...texts: string[]): KnownBlock {
  return { type: "context", elements: texts.map((text) => ({ type: "mrkdwn", text })) };
}

const divider: KnownBlock = { type: "divider" };

function decisions(approve: string, reject: string): KnownBlock {
  return {
    type: "actions",
    elements: [
      {
        type: "button",
        text: { type: "plain_text", text: "✅ 承認", emoji: true },
        action_id: approve,
        value: VALUE,
        style: "primary",
      },
      {
        type: "button",
        text: { type: "plain_text", text: "❌ 却下", emoji: true },
        action_id: reject,
        value: VALUE,
        style: "danger",
      },
    ],
  };
}

function golden<Name extends CardName>(
  title: string,
  name: Name,
  view: CardViews[Name],
  color: string,
  blocks: KnownBlock[],
) {
  return { title, message: renderCard(name, view), color, blocks };
}

const CARDS = [
  golden("the Task card while the request is analyzed", "taskGenerating", JA, "#f2c744", [
    section("受け付けました。タスクを分析中..."),
  ]),

  golden(
    "the Task card after the analysis",
    "taskComplete",
    {
      ...JA,
      title: "今月の勤怠集計",
      description: "全従業員の勤怠をまとめる",
      priority: "medium",
      type: "report",
      taskId: TASK,
    },
    "#36a64f",
    [
      header("今月の勤怠集計"),
      divider,
      section("*説明*\n全従業員の勤怠をまとめる"),
      {
        type: "section",
        fields: [
          { type: "mrkdwn", text: "*優先度*\n🟡 Medium" },
          { type: "mrkdwn", text: "*種別*\nreport" },
        ],
      },
      divider,
      context("*タスクID:* `01JSGX`"),
    ],
  ),

  golden("the Prompt card while the prompt is drafted", "promptGenerating", JA, "#f2c744", [
    header("📝 実行方針"),
    section("実行方針を生成中..."),
  ]),

  golden(
    "the Prompt card with its two buttons",
    "promptPending",
    { ...JA, content: CONTENT, taskId: TASK, version: 1, decisionValue: VALUE },
    "#2196f3",
    [
      header("📝 実行方針"),
      section(CONTENT),
      divider,
      decisions("approve_prompt", "reject_prompt"),
      context("*タスクID:* `01JSGX` · *バージョン:* v1"),
    ],
  ),

  golden(
    "the approved Prompt card",
    "promptApproved",
    { ...JA, content: CONTENT, by: BY, approvedAt: AT },
    "#36a64f",
    [
      header("📝 実行方針(承認済み)"),
      section(CONTENT),
      divider,
      context(`✅ 承認: <@U12345> · ${WHEN}`),
    ],
  ),

  golden(
    "the rejected Prompt card after its regeneration",
    "promptRejected",
    { ...JA, content: CONTENT, by: BY, reason: "検証を追加", nextVersion: 2 },
    "#e01e5a",
    [
      header("📝 実行方針(却下 → 再生成済み)"),
      section(CONTENT),
      divider,
      context("❌ 却下: <@U12345> · 理由: 検証を追加", "➡️ 新しいバージョン v2 が生成されました"),
    ],
  ),

  golden("the rejected Prompt card without a regeneration", "promptCancelled", JA, "#888888", [
    header("📝 実行方針(キャンセル)"),
    section("タスクをキャンセルしました"),
  ]),

  golden("the Process card while the steps are drafted", "processGenerating", JA, "#f2c744", [
    header("⚙️ 実行ステップ"),
    section("実行ステップを生成中..."),
  ]),

  golden(
    "the Process card with its two buttons",
    "processPending",
    { ...JA, steps: steps(""), taskId: TASK, version: 1, decisionValue: VALUE },
    "#2196f3",
    [
      header("⚙️ 実行ステップ"),
      section(STEPS_TEXT),
      divider,
      decisions("approve_process", "reject_process"),
      context("*タスクID:* `01JSGX` · *バージョン:* v1"),
    ],
  ),

  golden(
    "the approved Process card",
    "processApproved",
    { ...JA, steps: steps(""), by: BY, approvedAt: AT },
    "#36a64f",
    [
      header("⚙️ 実行ステップ(承認済み)"),
      section(STEPS_TEXT),
      divider,
      context(`✅ 承認: <@U12345> · ${WHEN}`),
    ],
  ),

  golden(
    "the rejected Process card after its regeneration",
    "processRejected",
    { ...JA, steps: steps(""), by: BY, reason: "検証を追加", nextVersion: 2 },
    "#e01e5a",
    [
      header("⚙️ 実行ステップ(却下 → 再生成済み)"),
      section(STEPS_TEXT),
      divider,
      context("❌ 却下: <@U12345> · 理由: 検証を追加", "➡️ 新しいバージョン v2 が生成されました"),
    ],
  ),

  golden(
    "the Execution card while it runs",
    "executionRunning",
    { ...JA, steps: steps("dr"), cancelValue: VALUE },
    "#1264a3",
    [
      header("🚀 実行中"),
      section(
        "✅ 1. *従業員一覧を取得* — `list_employees`\n🔄 2. *勤怠データ取得* — `list_attendance` 実行中...\n⬜ 3. *残業時間計算* — `calculate_overtime`\n⬜ 4. *Sheet 書き込み* — `write_rows_to_google_sheet`\n⬜ 5. *完了通知* — `send_slack_dm`",
      ),
      divider,
      context("進捗: 1/5 完了"),
      {
        type: "actions",
        elements: [
          {
            type: "button",
            text: { type: "plain_text", text: "⏹️ 中止", emoji: true },
            action_id: "cancel_execution",
            value: VALUE,
            style: "danger",
            confirm: {
              title: { type: "plain_text", text: "実行を中止しますか?" },
              text: {
                type: "plain_text",
                text: "中止すると元に戻せません。新しいタスクとして再依頼が必要です。",
              },
              confirm: { type: "plain_text", text: "中止する" },
              deny: { type: "plain_text", text: "キャンセル" },
            },
          },
        ],
      },
    ],
  ),

  golden(
    "the completed Execution card",
    "executionCompleted",
    {
      ...JA,
      steps: steps("ddddd"),
      summary: "5 名分を書き込みました。",
      elapsedMs: 12_400,
      completedAt: AT,
    },
    "#36a64f",
    [
      header("✅ 実行完了"),
      section(
        "✅ 1. *従業員一覧を取得* — `list_employees`\n✅ 2. *勤怠データ取得* — `list_attendance`\n✅ 3. *残業時間計算* — `calculate_overtime`\n✅ 4. *Sheet 書き込み* — `write_rows_to_google_sheet`\n✅ 5. *完了通知* — `send_slack_dm`",
      ),
      divider,
      section("*サマリー*\n5 名分を書き込みました。"),
      context(`⏱️ 実行時間: 12秒 · 完了: ${WHEN}`),
    ],
  ),

  golden(
    "the failed Execution card",
    "executionFailed",
    {
      ...JA,
      steps: steps("ddf"),
      error: "計算に失敗しました",
      elapsedMs: 8_000,
      failedAt: AT,
      retryValue: VALUE,
    },
    "#e01e5a",
    [
      header("❌ 実行失敗"),
      section(
        "✅ 1. *従業員一覧を取得* — `list_employees`\n✅ 2. *勤怠データ取得* — `list_attendance`\n❌ 3. *残業時間計算* — `calculate_overtime`\n⬜ 4. *Sheet 書き込み* — `write_rows_to_google_sheet`\n⬜ 5. *完了通知* — `send_slack_dm`",
      ),
      divider,
      section("*エラー*\n計算に失敗しました"),
      {
        type: "actions",
        elements: [
          {
            type: "button",
            text: { type: "plain_text", text: "🔄 再実行", emoji: true },
            action_id: "retry_execution",
            value: VALUE,
            style: "primary",
          },
        ],
      },
      context(`⏱️ 実行時間: 8秒 · 失敗: ${WHEN}`),
    ],
  ),

  golden(
    "the cancelled Execution card",
    "executionCancelled",
    { ...JA, steps: steps("dd"), by: BY, cancelledAt: AT },
    "#888888",
    [
      header("⏹️ 実行中止"),
      section(
        "✅ 1. *従業員一覧を取得* — `list_employees`\n✅ 2. *勤怠データ取得* — `list_attendance`\n⬜ 3. *残業時間計算* — `calculate_overtime`\n⬜ 4. *Sheet 書き込み* — `write_rows_to_google_sheet`\n⬜ 5. *完了通知* — `send_slack_dm`",
      ),
      divider,
      context(`⏹️ <@U12345> により中止されました · ${WHEN}`),
    ],
  ),
];

test.each(CARDS)("$title", ({ message, color, blocks }) => {
  expect(message).toEqual({ attachments: [{ color, blocks, fallback: expect.any(String) }] });
});

test("the modal that asks for the reason of a rejection", () => {
  const metadata = '{"type": "prompt", "id": "prm-1", "task_id": "01JSGX"}';
  expect(rejectionModal({ ...JA, metadata })).toEqual({
    type: "modal",
    callback_id: "rejection_reason_modal",
    title: { type: "plain_text", text: "却下理由" },
    submit: { type: "plain_text", text: "送信して再生成" },
    close: { type: "plain_text", text: "キャンセル" },
    private_metadata: metadata,
    blocks: [
      section("却下理由を入力してください。この内容を反映して新しいバージョンを生成します。"),
      {
        type: "input",
        block_id: "rejection_reason_block",
        element: {
          type: "plain_text_input",
          action_id: "rejection_reason_input",
          multiline: true,
          placeholder: {
            type: "plain_text",
            text: "例: ステップ 3 の前にデータの検証を追加してください",
          },
        },
        label: { type: "plain_text", text: "却下理由" },
      },
    ],
  });
});

test("the two columns with the decision", () => {
  const view = {
    ...JA,
    decision: "approved",
    by: BY,
    decidedAt: AT,
    version: 1,
    taskId: TASK,
  } as const;
  expect(decidedModal(view).blocks.at(-1)).toEqual({
    type: "section",
    fields: [
      { type: "mrkdwn", text: "*承認者*\n<@U12345>" },
      { type: "mrkdwn", text: `*時刻*\n${WHEN}` },
      { type: "mrkdwn", text: "*バージョン*\nv1" },
      { type: "mrkdwn", text: "*タスクID*\n`01JSGX`" },
    ],
  });
});
