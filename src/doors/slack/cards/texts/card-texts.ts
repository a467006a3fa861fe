import type { Locale } from "../../../../domain/locale.ts";
import type { StepStatus } from "../../../../domain/tasks/execution.ts";
import type { TaskPriority } from "../../../../domain/tasks/task.ts";

/** Words of a draft card: of a prompt or of a process. */
type DraftWords = {
  readonly title: string;
  readonly generating: string;
  readonly pending: string;
  readonly failed: string;
};

/** What follows the line of a step. */
type StepNotes = Readonly<Record<StepStatus, string>>;

const PRIORITIES: Readonly<Record<TaskPriority, string>> = {
  low: "🟢 Low",
  medium: "🟡 Medium",
  high: "🔴 High",
};

const NOTES_JA: StepNotes = {
  waiting: "",
  running: " 実行中...",
  waiting_for_human: " 確認待ち",
  done: "",
  failed: "",
  rejected: " 却下",
  stopped: " 停止",
  outcome_unknown: " 結果不明",
};
const NOTES_EN: StepNotes = {
  waiting: "",
  running: " running...",
  waiting_for_human: " waiting for a check",
  done: "",
  failed: "",
  rejected: " rejected",
  stopped: " stopped",
  outcome_unknown: " outcome unknown",
};

const PROMPT_JA: DraftWords = {
  title: "📝 実行方針",
  generating: "実行方針を生成中...",
  pending: "実行方針の確認をお願いします",
  failed: "実行方針を作成できませんでした",
};
const PROCESS_JA: DraftWords = {
  title: "⚙️ 実行ステップ",
  generating: "実行ステップを生成中...",
  pending: "実行ステップの確認をお願いします",
  failed: "実行ステップを作成できませんでした",
};
const PROMPT_EN: DraftWords = {
  title: "📝 Prompt",
  generating: "Drafting the prompt...",
  pending: "Please review the prompt",
  failed: "The prompt could not be drafted",
};
const PROCESS_EN: DraftWords = {
  title: "⚙️ Steps",
  generating: "Drafting the steps...",
  pending: "Please review the steps",
  failed: "The steps could not be drafted",
};

const ja = {
  priorities: PRIORITIES,
  stepNotes: NOTES_JA,
  prompt: PROMPT_JA,
  process: PROCESS_JA,
  received: "受け付けました。タスクを分析中...",
  taskReady: (title: string) => `タスクを受け付けました: ${title}`,
  description: "説明",
  priority: "優先度",
  type: "種別",
  taskId: "タスクID",
  version: "バージョン",
  error: "エラー",
  reason: "理由",
  summary: "サマリー",
  analysisFailed: "❌ タスクを分析できませんでした",
  taskCancelled: "⏹️ タスク中止",
  approve: "✅ 承認",
  reject: "❌ 却下",
  retry: "🔄 再実行",
  stop: "⏹️ 中止",
  block: "⏸️ ブロック",
  unblock: "▶️ ブロック解除",
  dashboard: "↗️ ダッシュボードで開く",
  stopTask: {
    title: "タスクを中止しますか?",
    text: "中止すると元に戻せません。新しいタスクとして再依頼が必要です。",
    confirm: "中止する",
    deny: "キャンセル",
  },
  stopExecution: {
    title: "実行を中止しますか?",
    text: "中止すると元に戻せません。新しいタスクとして再依頼が必要です。",
    confirm: "中止する",
    deny: "キャンセル",
  },
  unblockTask: {
    title: "ブロックを解除しますか?",
    text: "新しい試行として、済んだステップの続きから再開します。",
    confirm: "解除する",
    deny: "キャンセル",
  },
  approved: (title: string) => `${title}(承認済み)`,
  rejected: (title: string) => `${title}(却下 → 再生成済み)`,
  regenerating: (title: string) => `${title}(却下 → 再生成中)`,
  notRegenerated: (title: string) => `${title}(却下 → 再生成失敗)`,
  cancelled: (title: string) => `${title}(キャンセル)`,
  failed: (title: string) => `${title}(生成失敗)`,
  expired: (title: string) => `${title}(期限切れ)`,
  approvedBy: (who: string, when: string) => `✅ 承認: ${who} · ${when}`,
  rejectedBy: (who: string, reason: string) => `❌ 却下: ${who} · 理由: ${reason}`,
  newVersion: (version: number) => `➡️ 新しいバージョン v${version} が生成されました`,
  noNewVersion: (version: number) => `⚠️ 新しいバージョン v${version} を生成できませんでした`,
  makingNewVersion: "🔄 却下の理由を反映して、新しいバージョンを生成しています...",
  taskIsCancelled: "タスクをキャンセルしました",
  noRegenerationLeft:
    "再生成の上限に達しました。必要な場合は、新しいタスクとして依頼してください。",
  expiredAt: (when: string) => `⌛ 決定がないまま期限が過ぎました · ${when}`,
  failedAt: (when: string) => `失敗: ${when}`,
  cancelledBy: (who: string, when: string) => `⏹️ ${who} により中止されました · ${when}`,
  approvers: (people: string) => `決定できる人: ${people}`,
  votes: (given: number, needed: number) => `承認: ${given}/${needed} 人`,
  deadline: (when: string) => `期限: ${when}`,
  rest: "✂️ 長いため一部だけを表示しています。全文はダッシュボードで確認できます。",
  running: "🚀 実行中",
  waiting: "⏸️ 確認待ち",
  stopping: "⏹️ 停止処理中",
  blocked: "⏸️ ブロック中",
  completed: "✅ 実行完了",
  executionFailed: "❌ 実行失敗",
  executionCancelled: "⏹️ 実行中止",
  progress: (done: number, total: number) => `進捗: ${done}/${total} 完了`,
  stoppingFor: {
    blocked: (who: string, when: string) =>
      `⏸️ ${who} がブロックしました。エージェントの停止を待っています · ${when}`,
    cancelled: (who: string, when: string) =>
      `⏹️ ${who} が中止しました。エージェントの停止を待っています · ${when}`,
  },
  blockedBy: (who: string, when: string) => `⏸️ ${who} によりブロックされました · ${when}`,
  completedAt: (seconds: number, when: string) => `⏱️ 実行時間: ${seconds}秒 · 完了: ${when}`,
  executionFailedAt: (seconds: number, when: string) => `⏱️ 実行時間: ${seconds}秒 · 失敗: ${when}`,
  others: (count: number) => `…他 ${count} 件`,
};

type CardTexts = typeof ja;

const en: CardTexts = {
  priorities: PRIORITIES,
  stepNotes: NOTES_EN,
  prompt: PROMPT_EN,
  process: PROCESS_EN,
  received: "Received. Analyzing the task...",
  taskReady: (title) => `Task received: ${title}`,
  description: "Description",
  priority: "Priority",
  type: "Type",
  taskId: "Task ID",
  version: "Version",
  error: "Error",
  reason: "Reason",
  summary: "Summary",
  analysisFailed: "❌ The task could not be analyzed",
  taskCancelled: "⏹️ Task stopped",
  approve: "✅ Approve",
  reject: "❌ Reject",
  retry: "🔄 Retry",
  stop: "⏹️ Stop",
  block: "⏸️ Block",
  unblock: "▶️ Unblock",
  dashboard: "↗️ Open in dashboard",
  stopTask: {
    title: "Stop the task?",
    text: "This cannot be undone. If you need it after all, request a new task.",
    confirm: "Stop",
    deny: "Cancel",
  },
  stopExecution: {
    title: "Stop the execution?",
    text: "This cannot be undone. If you need it after all, request a new task.",
    confirm: "Stop",
    deny: "Cancel",
  },
  unblockTask: {
    title: "Unblock the task?",
    text: "A new attempt resumes after the completed steps.",
    confirm: "Unblock",
    deny: "Cancel",
  },
  approved: (title) => `${title} (approved)`,
  rejected: (title) => `${title} (rejected → regenerated)`,
  regenerating: (title) => `${title} (rejected → regenerating)`,
  notRegenerated: (title) => `${title} (rejected → regeneration failed)`,
  cancelled: (title) => `${title} (cancelled)`,
  failed: (title) => `${title} (drafting failed)`,
  expired: (title) => `${title} (expired)`,
  approvedBy: (who, when) => `✅ Approved: ${who} · ${when}`,
  rejectedBy: (who, reason) => `❌ Rejected: ${who} · Reason: ${reason}`,
  newVersion: (version) => `➡️ A new version v${version} was drafted`,
  noNewVersion: (version) => `⚠️ The new version v${version} could not be drafted`,
  makingNewVersion: "🔄 Drafting a new version that follows the reason...",
  taskIsCancelled: "The task was cancelled",
  noRegenerationLeft: "No regeneration is left. If you still need it, request a new task.",
  expiredAt: (when) => `⌛ The deadline passed without a decision · ${when}`,
  failedAt: (when) => `Failed: ${when}`,
  cancelledBy: (who, when) => `⏹️ Stopped by ${who} · ${when}`,
  approvers: (people) => `May decide: ${people}`,
  votes: (given, needed) => `Approved by ${given} of ${needed}`,
  deadline: (when) => `Deadline: ${when}`,
  rest: "✂️ Only a part of the text fits here. The dashboard has all of it.",
  running: "🚀 Running",
  waiting: "⏸️ Waiting for a check",
  stopping: "⏹️ Stopping",
  blocked: "⏸️ Blocked",
  completed: "✅ Completed",
  executionFailed: "❌ Failed",
  executionCancelled: "⏹️ Stopped",
  progress: (done, total) => `Progress: ${done}/${total} done`,
  stoppingFor: {
    blocked: (who, when) => `⏸️ Blocked by ${who}. Waiting for the agents to stop · ${when}`,
    cancelled: (who, when) => `⏹️ Stopped by ${who}. Waiting for the agents to stop · ${when}`,
  },
  blockedBy: (who, when) => `⏸️ Blocked by ${who} · ${when}`,
  completedAt: (seconds, when) => `⏱️ Duration: ${seconds} s · Completed: ${when}`,
  executionFailedAt: (seconds, when) => `⏱️ Duration: ${seconds} s · Failed: ${when}`,
  others: (count) => `…and ${count} more`,
};

export const CARD_TEXTS: Readonly<Record<Locale, CardTexts>> = { ja, en };
