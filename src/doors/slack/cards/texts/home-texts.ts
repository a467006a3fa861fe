import type { ApprovalKind } from "../../../../domain/approvals/approval.ts";
import type { Locale } from "../../../../domain/locale.ts";
import type { TaskStatus } from "../../../../domain/tasks/task.ts";

const KINDS_JA: Readonly<Record<ApprovalKind, string>> = {
  prompt: "📝 実行方針",
  process: "⚙️ 実行ステップ",
  step: "⏸️ 人の確認",
  unplanned_tool: "⏸️ 計画外のツール",
  call: "⏸️ 呼び出しの確認",
  question: "💬 質問",
  outcome: "❓ 結果の確認",
  merge: "🔀 変更の取り込み",
};
const KINDS_EN: Readonly<Record<ApprovalKind, string>> = {
  prompt: "📝 Prompt",
  process: "⚙️ Steps",
  step: "⏸️ Human check",
  unplanned_tool: "⏸️ Unplanned tool",
  call: "⏸️ Check of a call",
  question: "💬 Question",
  outcome: "❓ Outcome of a call",
  merge: "🔀 Merge of a change",
};
const STATUSES_JA: Readonly<Record<TaskStatus, string>> = {
  analyzing: "🟡 分析中",
  planning: "🟡 実行方針を作成中",
  awaiting_prompt_approval: "🔵 実行方針の承認待ち",
  designing: "🟡 ステップ作成中",
  awaiting_process_approval: "🔵 ステップの承認待ち",
  in_progress: "🚀 進行中",
  blocked: "⏸️ ブロック",
  completed: "✅ 完了",
  failed: "❌ 失敗",
  cancelled: "⏹️ 中止",
};
const STATUSES_EN: Readonly<Record<TaskStatus, string>> = {
  analyzing: "🟡 Analyzing",
  planning: "🟡 Drafting the prompt",
  awaiting_prompt_approval: "🔵 Prompt waits for approval",
  designing: "🟡 Drafting the steps",
  awaiting_process_approval: "🔵 Steps wait for approval",
  in_progress: "🚀 In progress",
  blocked: "⏸️ Blocked",
  completed: "✅ Completed",
  failed: "❌ Failed",
  cancelled: "⏹️ Cancelled",
};

const ja = {
  kinds: KINDS_JA,
  statuses: STATUSES_JA,
  approvals: "🔔 あなたの承認待ち",
  running: "🚀 進行中のタスク",
  recent: "🗂️ 最近の結果",
  noApprovals: "判断を待っているものはありません。",
  noRunning: "進行中のタスクはありません。チャンネルでメンションするか、DM で依頼してください。",
  noRecent: "結果はまだありません。",
  open: "開く",
  progress: (done: number, total: number) => `${done}/${total} 完了`,
  howToLink:
    "このアカウントは、まだ Kuromajutsu の利用者と結び付いていません。ダッシュボードの設定で 1 回限りのコードを発行し、`/kuro link コード` を実行してください。",
  notLinked: "👋 はじめに",
};

type HomeTexts = typeof ja;

const en: HomeTexts = {
  kinds: KINDS_EN,
  statuses: STATUSES_EN,
  approvals: "🔔 Waiting for your decision",
  running: "🚀 Tasks in progress",
  recent: "🗂️ Recent results",
  noApprovals: "Nothing is waiting for a decision.",
  noRunning: "No task is in progress. Mention the app in a channel, or send it a DM.",
  noRecent: "There are no results yet.",
  open: "Open",
  progress: (done, total) => `${done}/${total} done`,
  howToLink:
    "This account is not linked to a person of Kuromajutsu yet. Create a one-time code in the settings of the dashboard, then run `/kuro link CODE`.",
  notLinked: "👋 Welcome",
};

export const HOME_TEXTS: Readonly<Record<Locale, HomeTexts>> = { ja, en };
