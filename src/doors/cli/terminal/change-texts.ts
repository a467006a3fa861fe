import type { WireComment, WireFileChange } from "../../../contract/shapes/changes.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { OverlapLevel } from "../../../domain/workspaces/overlap.ts";
import type { ChangeOutcome, WorkspaceStatus } from "../../../domain/workspaces/workspace.ts";

/** What the terminal says about changes and the worktrees that they were written in. */
export type ChangeTexts = {
  readonly status: Record<WorkspaceStatus, string>;
  readonly outcome: Record<ChangeOutcome, string>;
  readonly level: Record<OverlapLevel, string>;
  readonly comment: Record<WireComment["status"], string>;
  readonly headings: {
    readonly agent: string;
    readonly id: string;
    readonly status: string;
    readonly outcome: string;
    readonly branch: string;
    readonly files: string;
    readonly lines: string;
    readonly target: string;
    readonly overlaps: string;
    readonly age: string;
    readonly size: string;
    readonly directory: string;
    readonly repository: string;
    readonly base: string;
    readonly version: string;
    readonly ports: string;
  };
  readonly overlapCounts: (conflicts: number, others: number) => string;
  readonly noOpen: (program: string) => string;
  readonly none: string;
  readonly noWorkspaces: string;
  readonly disk: (used: string, limit: string | null) => string;
  readonly attention: string;
  readonly overlaps: string;
  readonly comments: string;
  readonly merges: string;
  readonly nothingYet: string;
  readonly clean: (target: string) => string;
  readonly conflicts: (target: string) => string;
  readonly wholeFile: string;
  readonly gone: string;
  readonly notes: Record<FileNote, string>;
  readonly noPatch: Record<"binary" | "too_long", string>;
  readonly idNeeded: (program: string, option: string) => string;
  readonly textNeeded: (program: string, id: string, place: string) => string;
  readonly textNotExpected: (program: string, id: string) => string;
  readonly commented: (program: string, id: string, place: string) => string;
  readonly sentBack: (comments: number) => string;
  readonly worksNow: (agentId: string) => string;
  readonly newConversation: string;
  readonly retired: (workspaceId: string) => string;
};

export type FileNote =
  | "mode"
  | "lineEndings"
  | "leavesTree"
  | Exclude<WireFileChange["kind"], "file">;

const ja: ChangeTexts = {
  status: {
    planned: "予定",
    preparing: "準備中",
    ready: "作業中",
    captured: "記録済み",
    failed: "準備に失敗",
    damaged: "破損",
    retired: "片付け済み",
  },
  outcome: { open: "判断待ち", merged: "取り込み済み", discarded: "破棄済み" },
  level: {
    conflict: "競合します。どちらかを先に取り込み、もう一方を差し戻してください。",
    same_file: "同じファイルですが、git で両方を取り込めます。",
    generated: "生成されるファイルだけです。取り込んだあとで作り直してください。",
  },
  comment: { draft: "下書き", sent: "送信済み", resolved: "解決済み" },
  headings: {
    agent: "エージェント",
    id: "ID",
    status: "状態",
    outcome: "判断",
    branch: "ブランチ",
    files: "ファイル",
    lines: "行",
    target: "取り込み先",
    overlaps: "重なり",
    age: "経過",
    size: "使用量",
    directory: "ディレクトリ",
    repository: "リポジトリ",
    base: "開始地点",
    version: "版",
    ports: "ポート",
  },
  overlapCounts: (conflicts, others) =>
    [conflicts > 0 && `競合 ${conflicts}`, others > 0 && `重なり ${others}`]
      .filter(Boolean)
      .join("、"),
  noOpen: (program) =>
    `判断待ちの変更はありません。判断済みの変更は ${program} changes --all で見られます。`,
  none: "変更はまだありません。",
  noWorkspaces: "作業ツリーはありません。",
  disk: (used, limit) =>
    limit === null ? `使用量 ${used}（上限なし）` : `使用量 ${used}（上限 ${limit}）`,
  attention: "取り込む前に確かめてください",
  overlaps: "ほかの変更との重なり",
  comments: "コメント",
  merges: "取り込み",
  nothingYet: "まだ変更は記録されていません。エージェントが終わると記録されます。",
  clean: (target) => `${target} に競合なく取り込めます。`,
  conflicts: (target) => `${target} と競合しています。`,
  wholeFile: "ファイル全体",
  gone: "この行は最新の版にありません",
  notes: {
    mode: "実行権限が変わりました",
    lineEndings: "改行コードだけの変更",
    leavesTree: "作業ツリーの外を指すシンボリックリンク",
    symlink: "シンボリックリンク",
    submodule: "サブモジュール",
  },
  noPatch: {
    binary: "バイナリファイルのため、差分は表示しません。",
    too_long: "差分が長すぎるため、表示しません。",
  },
  idNeeded: (program, option) =>
    `${option} には変更を指定してください: ${program} changes ID ${option}`,
  textNeeded: (program, id, place) =>
    `コメントの本文を書いてください: ${program} changes ${id} --comment ${place} "…"`,
  textNotExpected: (program, id) =>
    `本文は --comment と一緒に指定します: ${program} changes ${id} --comment PATH:LINE "…"`,
  commented: (program, id, place) =>
    `${place} へのコメントを下書きに保存しました。エージェントに送るには: ${program} changes ${id} --send-back`,
  sentBack: (comments) =>
    comments === 0 ? "差し戻しました。" : `コメント ${comments} 件を付けて差し戻しました。`,
  worksNow: (agentId) => `作業を続けるエージェント: ${agentId}`,
  newConversation: "前の会話は続けられないため、要約から新しい会話を始めました。",
  retired: (workspaceId) =>
    `${workspaceId} のディレクトリを片付けました。変更はコミットとして残っています。`,
};

const en: ChangeTexts = {
  status: {
    planned: "planned",
    preparing: "preparing",
    ready: "in use",
    captured: "captured",
    failed: "setup failed",
    damaged: "damaged",
    retired: "cleaned up",
  },
  outcome: { open: "undecided", merged: "merged", discarded: "discarded" },
  level: {
    conflict: "They conflict: merge one of them first and send the other one back.",
    same_file: "The same files, but git can merge both.",
    generated: "Only generated files: make them again after the merge.",
  },
  comment: { draft: "draft", sent: "sent", resolved: "resolved" },
  headings: {
    agent: "Agent",
    id: "ID",
    status: "Status",
    outcome: "Decision",
    branch: "Branch",
    files: "Files",
    lines: "Lines",
    target: "Into",
    overlaps: "Overlaps",
    age: "Age",
    size: "Size",
    directory: "Directory",
    repository: "Repository",
    base: "Began from",
    version: "Version",
    ports: "Ports",
  },
  overlapCounts: (conflicts, others) =>
    [
      conflicts > 0 && `${conflicts} ${conflicts === 1 ? "conflict" : "conflicts"}`,
      others > 0 && `${others} ${others === 1 ? "overlap" : "overlaps"}`,
    ]
      .filter(Boolean)
      .join(", "),
  noOpen: (program) =>
    `No change waits for a decision. ${program} changes --all lists those that were decided.`,
  none: "There are no changes yet.",
  noWorkspaces: "There are no worktrees.",
  disk: (used, limit) =>
    limit === null ? `Disk use: ${used} (no limit)` : `Disk use: ${used} of ${limit}`,
  attention: "Check this before you merge",
  overlaps: "Overlaps with other changes",
  comments: "Comments",
  merges: "Merges",
  nothingYet: "Nothing was captured yet. The change is captured when the agent ends.",
  clean: (target) => `It merges into ${target} without conflicts.`,
  conflicts: (target) => `It conflicts with ${target}.`,
  wholeFile: "whole file",
  gone: "the newest version does not have these lines",
  notes: {
    mode: "the permission to execute changed",
    lineEndings: "only line endings changed",
    leavesTree: "symbolic link to a place outside the worktree",
    symlink: "symbolic link",
    submodule: "submodule",
  },
  noPatch: {
    binary: "Binary file: there is no diff to show.",
    too_long: "The diff is too long to be shown.",
  },
  idNeeded: (program, option) => `${option} needs a change: ${program} changes ID ${option}`,
  textNeeded: (program, id, place) =>
    `Write the comment: ${program} changes ${id} --comment ${place} "…"`,
  textNotExpected: (program, id) =>
    `A text belongs to --comment: ${program} changes ${id} --comment PATH:LINE "…"`,
  commented: (program, id, place) =>
    `Saved the comment on ${place} as a draft. Give it to the agent: ${program} changes ${id} --send-back`,
  sentBack: (comments) =>
    comments === 0
      ? "Sent back."
      : `Sent back with ${comments} ${comments === 1 ? "comment" : "comments"}.`,
  worksNow: (agentId) => `The agent that continues: ${agentId}`,
  newConversation: "Its conversation could not be continued: a new one began with a summary.",
  retired: (workspaceId) =>
    `Cleaned up the directory of ${workspaceId}. Its change stays as commits.`,
};

export const CHANGE_TEXTS: Readonly<Record<Locale, ChangeTexts>> = { ja, en };
