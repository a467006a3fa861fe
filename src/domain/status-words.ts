/** The words of statuses in Japanese texts; the glossary decides them. */
const WORDS: Readonly<Record<string, string>> = {
  active: "有効",
  deleted: "削除済み",
  queued: "待機中",
  running: "実行中",
  waiting: "待機中",
  waiting_for_human: "人の確認待ち",
  stopping: "停止中",
  completed: "完了",
  done: "完了",
  failed: "失敗",
  blocked: "ブロック中",
  cancelled: "中止",
  stopped: "停止",
  timedOut: "時間切れ",
  lost: "行方不明",
  resultReported: "報告済み",
  analyzing: "分析中",
  planning: "実行方針の作成中",
  awaiting_prompt_approval: "実行方針の承認待ち",
  designing: "実行ステップの作成中",
  awaiting_process_approval: "実行ステップの承認待ち",
  in_progress: "進行中",
  pending: "承認待ち",
  approved: "承認済み",
  rejected: "却下",
  superseded: "新しい版に置き換え",
  expired: "期限切れ",
  outcome_unknown: "結果不明",
};

/** A status in the words of Japanese texts; an unknown one stays as it is. */
export function statusInJapanese(status: string): string {
  return WORDS[status] ?? status;
}
