import type { ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { Locale } from "../../../domain/locale.ts";

/** One line each: what happened, to which task or agent, and who did it. */
export type NarrationTexts = {
  readonly labels: Readonly<Record<NarratedKind, string>>;
  readonly asks: Readonly<Record<ApprovalKind, string>>;
  readonly by: (name: string) => string;
  readonly you: string;
  readonly untitled: string;
  readonly duration: (ms: number) => string;
};

export const NARRATED_KINDS = [
  "asked",
  "waiting",
  "approved",
  "rejected",
  "expired",
  "running",
  "blocked",
  "unblocked",
  "cancelled",
  "completed",
  "failed",
  "agentStarted",
  "agentFinished",
  "agentFailed",
  "agentStopped",
] as const;
export type NarratedKind = (typeof NARRATED_KINDS)[number];

const SECOND_MS = 1_000;
const MINUTE_S = 60;

const ja: NarrationTexts = {
  labels: {
    asked: "依頼",
    waiting: "判断待ち",
    approved: "承認",
    rejected: "却下",
    expired: "承認期限切れ",
    running: "実行開始",
    blocked: "ブロック",
    unblocked: "ブロック解除",
    cancelled: "中止",
    completed: "完了",
    failed: "失敗",
    agentStarted: "エージェント開始",
    agentFinished: "エージェント終了",
    agentFailed: "エージェント失敗",
    agentStopped: "エージェント停止",
  },
  asks: {
    prompt: "実行方針",
    process: "実行ステップ",
    step: "人の確認",
    unplanned_tool: "計画外のツール",
    call: "人の確認",
    question: "質問",
    outcome: "結果の確認",
    merge: "変更の取り込み",
  },
  by: (name) => name,
  you: "あなた (local)",
  untitled: "（無題）",
  duration: (ms) => {
    const seconds = ms / SECOND_MS;
    if (seconds < MINUTE_S) return `${seconds.toFixed(1)} 秒`;
    return `${Math.floor(seconds / MINUTE_S)} 分 ${Math.floor(seconds % MINUTE_S)} 秒`;
  },
};

const en: NarrationTexts = {
  labels: {
    asked: "Asked",
    waiting: "Waiting for you",
    approved: "Approved",
    rejected: "Rejected",
    expired: "Approval expired",
    running: "Running",
    blocked: "Blocked",
    unblocked: "Unblocked",
    cancelled: "Cancelled",
    completed: "Completed",
    failed: "Failed",
    agentStarted: "Agent started",
    agentFinished: "Agent finished",
    agentFailed: "Agent failed",
    agentStopped: "Agent stopped",
  },
  asks: {
    prompt: "prompt",
    process: "steps",
    step: "human check",
    unplanned_tool: "unplanned tool",
    call: "human check",
    question: "question",
    outcome: "outcome",
    merge: "merge",
  },
  by: (name) => `by ${name}`,
  you: "you (local)",
  untitled: "(untitled)",
  duration: (ms) => {
    const seconds = ms / SECOND_MS;
    if (seconds < MINUTE_S) return `${seconds.toFixed(1)} s`;
    return `${Math.floor(seconds / MINUTE_S)} min ${Math.floor(seconds % MINUTE_S)} s`;
  },
};

export const NARRATION_TEXTS: Readonly<Record<Locale, NarrationTexts>> = { ja, en };
