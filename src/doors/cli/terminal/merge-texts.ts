import type { Locale } from "../../../domain/locale.ts";
import type { MergeStatus } from "../../../domain/merges/merge.ts";

/** What the terminal says about merges and decided changes. */
export type MergeTexts = {
  readonly status: Record<MergeStatus, string>;
  readonly into: (agentId: string, version: number, target: string, mode: string) => string;
  readonly files: (count: number, added: number, removed: number) => string;
  readonly moreFiles: (count: number) => string;
  readonly conflicts: string;
  readonly message: string;
  readonly check: string;
  readonly noCheck: string;
  readonly intoCheckout: string;
  readonly headings: {
    readonly id: string;
    readonly status: string;
    readonly agent: string;
    readonly target: string;
    readonly created: string;
    readonly problem: string;
  };
  readonly none: string;
  readonly asked: (mergeId: string) => string;
  readonly waits: (program: string, approvalId: string) => string;
  readonly discarded: (agentId: string) => string;
};

const ja: MergeTexts = {
  status: {
    awaiting_approval: "承認待ち",
    queued: "待機中",
    checking: "検査中",
    ready_to_land: "取り込み待ち",
    landed: "取り込み済み",
    conflicted: "競合あり",
    check_failed: "検査失敗",
    rejected: "却下",
    cancelled: "中止",
    undone: "取り消し済み",
  },
  into: (agentId, version, target, mode) =>
    `${agentId} の変更（版 ${version}）→ ${target}（${mode}）`,
  files: (count, added, removed) => `${count} ファイル  +${added} −${removed}`,
  moreFiles: (count) => `ほか ${count} ファイル`,
  conflicts: "競合するファイル",
  message: "コミットメッセージ",
  check: "検査",
  noCheck: "検査のコマンドは設定されていません。",
  intoCheckout: "チェックアウト中の場合は、そこも先に進めます。",
  headings: {
    id: "ID",
    status: "状態",
    agent: "エージェント",
    target: "取り込み先",
    created: "依頼",
    problem: "理由",
  },
  none: "取り込みはまだありません。",
  asked: (mergeId) => `取り込みの承認を求めました: ${mergeId}`,
  waits: (program, approvalId) => `承認するには: ${program} approvals ${approvalId} approve`,
  discarded: (agentId) => `${agentId} の変更を破棄しました。コミットはしばらく残ります。`,
};

const en: MergeTexts = {
  status: {
    awaiting_approval: "awaits approval",
    queued: "queued",
    checking: "checking",
    ready_to_land: "ready to land",
    landed: "landed",
    conflicted: "conflicted",
    check_failed: "check failed",
    rejected: "rejected",
    cancelled: "cancelled",
    undone: "undone",
  },
  into: (agentId, version, target, mode) =>
    `Change of ${agentId} (version ${version}) → ${target} (${mode})`,
  files: (count, added, removed) =>
    `${count} ${count === 1 ? "file" : "files"}  +${added} −${removed}`,
  moreFiles: (count) => `${count} more ${count === 1 ? "file" : "files"}`,
  conflicts: "Files in conflict",
  message: "Commit message",
  check: "Check",
  noCheck: "No command checks it.",
  intoCheckout: "A checkout of the branch is fast-forwarded, too.",
  headings: {
    id: "ID",
    status: "Status",
    agent: "Agent",
    target: "Branch",
    created: "Requested",
    problem: "Reason",
  },
  none: "There are no merges yet.",
  asked: (mergeId) => `Asked for the approval of the merge ${mergeId}`,
  waits: (program, approvalId) => `Approve it: ${program} approvals ${approvalId} approve`,
  discarded: (agentId) => `Discarded the change of ${agentId}. Its commits are kept for a while.`,
};

export const MERGE_TEXTS: Readonly<Record<Locale, MergeTexts>> = { ja, en };
