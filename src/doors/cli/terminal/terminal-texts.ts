import type { AlertStatus } from "../../../domain/alerts/alert.ts";
import type { ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { ExecutionStatus, StepStatus } from "../../../domain/tasks/execution.ts";
import type { TaskStatus } from "../../../domain/tasks/task.ts";

/** What the terminal says; every sentence in both languages. */
export type TerminalTexts = {
  readonly task: Record<TaskStatus, string>;
  readonly step: Record<StepStatus, string>;
  readonly execution: Record<ExecutionStatus, string>;
  readonly asks: Record<ApprovalKind, string>;
  readonly accepted: (id: string) => string;
  readonly promptVersion: (version: number) => string;
  readonly steps: (version: number) => string;
  readonly decide: string;
  readonly reason: string;
  readonly reasonNeeded: string;
  readonly answer: string;
  readonly chooseAnswer: (count: number) => string;
  readonly outcome: string;
  readonly rejectStep: string;
  readonly progress: (done: number, total: number) => string;
  readonly decidedElsewhere: (by: string, status: string) => string;
  readonly interrupted: string;
  readonly detached: (id: string) => string;
  readonly cancelled: (count: number) => string;
  readonly stopping: (count: number) => string;
  readonly stopsAgents: (count: number) => string;
  readonly nobodyHere: (id: string) => string;
  readonly summary: string;
  readonly error: string;
  readonly elapsed: (seconds: number) => string;
  readonly noTasks: string;
  readonly noApprovals: string;
  readonly noAlerts: string;
  readonly alert: Record<AlertStatus, string>;
  readonly alertSent: (target: string, ms: number) => string;
  readonly alertNotSent: (target: string, why: string) => string;
  readonly reconnecting: string;
  readonly blockedBy: (by: string, reason: string) => string;
};

const ja: TerminalTexts = {
  task: {
    analyzing: "分析中",
    planning: "方針作成中",
    awaiting_prompt_approval: "方針の承認待ち",
    designing: "ステップ作成中",
    awaiting_process_approval: "ステップの承認待ち",
    in_progress: "実行中",
    blocked: "ブロック",
    completed: "完了",
    failed: "失敗",
    cancelled: "中止",
  },
  step: {
    waiting: "待機中",
    running: "実行中",
    waiting_for_human: "人の確認待ち",
    done: "完了",
    failed: "失敗",
    rejected: "却下",
    stopped: "停止",
    outcome_unknown: "結果不明",
  },
  execution: {
    queued: "順番待ち",
    running: "実行中",
    waiting_for_human: "人の確認待ち",
    stopping: "停止中",
    completed: "完了",
    failed: "失敗",
    blocked: "ブロック",
    cancelled: "中止",
  },
  asks: {
    prompt: "📝 実行方針の確認をお願いします",
    process: "⚙️ 実行ステップの確認をお願いします",
    step: "🔍 このステップを実行してよいですか",
    unplanned_tool: "⚠️ 承認済みのステップにないツールです。実行してよいですか",
    call: "🔍 エージェントがこのツールを使おうとしています。実行してよいですか",
    question: "❓ エージェントからの質問です",
    outcome: "⚠️ 呼び出しの結果が分かりません。実行されましたか",
  },
  accepted: (id) => `受け付けました。タスクを分析中... (${id})`,
  promptVersion: (version) => `📝 実行方針 v${version}`,
  steps: (version) => `⚙️ 実行ステップ v${version}`,
  decide: "承認しますか? [y = 承認 / n = 却下] ",
  reason: "理由: ",
  reasonNeeded: "理由を入力してください。次の版に反映されます。",
  answer: "回答: ",
  chooseAnswer: (count) => `番号を選んでください [1-${count}] `,
  outcome: "[d = 実行された / r = もう一度実行する / n = 失敗とする] ",
  rejectStep: "却下するとどうしますか? [f = 実行を失敗にする / s = このステップなしで続ける] ",
  progress: (done, total) => `進捗: ${done}/${total} 完了`,
  decidedElsewhere: (by, status) => `他で決定されました: ${by} (${status})`,
  interrupted: "\n中止しますか? [c = タスクを中止 / d = 切り離す (タスクは続く) / Enter = 続ける] ",
  detached: (id) => `切り離しました。続きは kuromajutsu tasks ${id} で見られます。`,
  cancelled: (count) => `中止しました。停止するエージェント: ${count}`,
  stopping: (count) => `停止するエージェント: ${count}`,
  stopsAgents: (count) => `実行中のエージェント ${count} 件が停止します。続けますか? [y / n] `,
  nobodyHere: (id) =>
    `承認を待っています。別の端末で kuromajutsu approvals ${id} approve を実行するか、--yes を付けてください。`,
  summary: "サマリー",
  error: "エラー",
  elapsed: (seconds) => `⏱️ ${seconds}秒`,
  noTasks: 'タスクはありません。kuromajutsu run "…" で依頼できます。',
  noApprovals: "承認待ちはありません。",
  noAlerts: "アラートはまだありません。",
  alert: {
    pending: "送信待ち",
    sent: "送信済み",
    failed: "送信できませんでした",
    dropped: "対応済みのため送信しませんでした",
  },
  alertSent: (target, ms) => `${target}: 送信しました (${ms} ms)`,
  alertNotSent: (target, why) => `${target}: 送信できませんでした。${why}`,
  reconnecting: "デーモンとの接続が切れました。再接続しています...",
  blockedBy: (by, reason) => `⏸ ${by} によりブロックされました${reason && `: ${reason}`}`,
};

const en: TerminalTexts = {
  task: {
    analyzing: "analysing",
    planning: "drafting the prompt",
    awaiting_prompt_approval: "prompt awaits approval",
    designing: "drafting the steps",
    awaiting_process_approval: "steps await approval",
    in_progress: "in progress",
    blocked: "blocked",
    completed: "completed",
    failed: "failed",
    cancelled: "cancelled",
  },
  step: {
    waiting: "waiting",
    running: "running",
    waiting_for_human: "waiting for a person",
    done: "done",
    failed: "failed",
    rejected: "rejected",
    stopped: "stopped",
    outcome_unknown: "outcome unknown",
  },
  execution: {
    queued: "queued",
    running: "running",
    waiting_for_human: "waiting for a person",
    stopping: "stopping",
    completed: "completed",
    failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
  },
  asks: {
    prompt: "📝 Please look at the prompt",
    process: "⚙️ Please look at the steps",
    step: "🔍 May this step be carried out?",
    unplanned_tool: "⚠️ This tool is in no approved step. May it be called?",
    call: "🔍 An agent wants to call this tool. May it?",
    question: "❓ An agent asks",
    outcome: "⚠️ The answer to this call was lost. Did it take effect?",
  },
  accepted: (id) => `Accepted. Analysing the task... (${id})`,
  promptVersion: (version) => `📝 Prompt v${version}`,
  steps: (version) => `⚙️ Steps v${version}`,
  decide: "Approve? [y = approve / n = reject] ",
  reason: "Reason: ",
  reasonNeeded: "Please give a reason; the next version takes it into account.",
  answer: "Answer: ",
  chooseAnswer: (count) => `Choose a number [1-${count}] `,
  outcome: "[d = it did / r = call it again / n = count it as failed] ",
  rejectStep: "And then? [f = fail the execution / s = go on without this step] ",
  progress: (done, total) => `Progress: ${done}/${total} done`,
  decidedElsewhere: (by, status) => `Decided elsewhere: ${by} (${status})`,
  interrupted: "\nStop? [c = cancel the task / d = detach (it goes on) / Enter = go on] ",
  detached: (id) => `Detached. See it again with kuromajutsu tasks ${id}.`,
  cancelled: (count) => `Cancelled. Agents that are stopped: ${count}`,
  stopping: (count) => `Agents that are stopped: ${count}`,
  stopsAgents: (count) => `This stops ${count} running agent(s). Go on? [y / n] `,
  nobodyHere: (id) =>
    `Waiting for approval. Run kuromajutsu approvals ${id} approve in a terminal, or use --yes.`,
  summary: "Summary",
  error: "Error",
  elapsed: (seconds) => `⏱️ ${seconds} s`,
  noTasks: 'There are no tasks. Ask for one with kuromajutsu run "…".',
  noApprovals: "Nothing waits for approval.",
  noAlerts: "There are no alerts yet.",
  alert: {
    pending: "waiting to be sent",
    sent: "sent",
    failed: "not sent",
    dropped: "dropped, a person had decided",
  },
  alertSent: (target, ms) => `${target}: sent (${ms} ms)`,
  alertNotSent: (target, why) => `${target}: not sent. ${why}`,
  reconnecting: "The connection to the daemon broke. Reconnecting...",
  blockedBy: (by, reason) => `⏸ Blocked by ${by}${reason && `: ${reason}`}`,
};

export const TERMINAL_TEXTS: Record<Locale, TerminalTexts> = { ja, en };
