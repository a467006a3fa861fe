import { Refusal } from "../../../../domain/refusal.ts";

const NOUNS = {
  "Tool call": "呼び出し",
  Agent: "エージェント",
  Execution: "実行",
  Task: "タスク",
  Approval: "承認",
  Notification: "通知",
  Alert: "アラート",
  Group: "グループ",
  Schedule: "スケジュール",
  Workspace: "作業ツリー",
  Comment: "コメント",
  Merge: "取り込み",
} as const;

type Row = { readonly id: string | number; readonly version: number };

/** Optimistic locking: the second of two concurrent changes fails with this. */
export function versionConflict(what: keyof typeof NOUNS, { id, version }: Row): Refusal {
  return new Refusal("VERSION_CONFLICT", {
    en: [`${what} ${id} has changed since version ${version}.`, "Read it again and decide again."],
    ja: [
      `${NOUNS[what]} ${id} は、バージョン ${version} のあとに変わりました。`,
      "読み直してから、もう一度決めてください。",
    ],
  });
}
