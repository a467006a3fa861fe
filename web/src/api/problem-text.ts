import { useLocale, type Locale } from "../i18n/locale.ts";
import { ApiProblem } from "./http.ts";
import { Offline } from "./send.ts";

export type ProblemText = { readonly title: string; readonly detail: string | null };

/** Refusals by code, in Japanese. The daemon's English message follows as the detail. */
const JA: Readonly<Record<string, string>> = {
  SCHEDULE_NOT_FOUND: "このスケジュールは見つかりません。",
  TASK_NOT_FOUND: "このタスクは見つかりません。",
  TASK_NOT_IN_PROGRESS:
    "ブロックできるのは進行中のタスクだけです。中止するか、進行中になるまで待ってください。",
  TASK_NOT_RETRYABLE: "このタスクは再実行できません。失敗したタスクだけを再実行できます。",
  TEMPLATE_NOT_FOUND: "このテンプレートは見つかりません。",
  TEMPLATE_EXISTS: "同じ ID のテンプレートがすでにあります。別の ID にしてください。",
  EXECUTION_NOT_FOUND: "この実行は見つかりません。",
  APPROVAL_NOT_FOUND: "この承認は見つかりません。",
  APPROVAL_ALREADY_DECIDED: "すでに決定されています。",
  APPROVAL_EXPIRED: "承認の期限が切れています。タスクを再実行すると、もう一度確認できます。",
  APPROVAL_NOT_YOURS: "この承認を決定する権限がありません。承認者に依頼してください。",
  OUTCOME_UNKNOWN:
    "この操作は行われましたが、結果を受け取れませんでした。画面で今の状態を確認してください。",
  IDEMPOTENCY_KEY_REUSED: "別の操作と競合しました。もう一度操作してください。",
  VERSION_CONFLICT:
    "表示中に内容が変わりました。最新の内容を確認してから、もう一度操作してください。",
  TRANSITION_NOT_ALLOWED: "今の状態ではこの操作はできません。",
  GROUP_NOT_FOUND: "このグループは見つかりません。",
  GROUP_HAS_RUNNING_AGENTS: "実行中のエージェントがいます。先に停止してから削除してください。",
  AGENT_NOT_FOUND: "このエージェントは見つかりません。",
  AGENT_ALREADY_ENDED: "このエージェントはすでに終了しています。",
  NOTIFICATION_NOT_DELIVERABLE: "エージェントはすでに終了しているため、届けられません。",
  ROLE_NOT_FOUND: "この職種は見つかりません。",
  ROLE_EXISTS: "同じ ID の職種がすでにあります。別の ID にしてください。",
  ROLE_IN_USE: "使用中の職種は削除できません。",
  CONFIG_CHANGED: "設定ファイルがほかで変更されました。読み込み直してから編集してください。",
  CONFIG_INVALID: "この設定は正しくありません。",
  CONFIG_NOT_WRITABLE: "設定ファイルに書き込めません。権限と空き容量を確認してください。",
  CONFIG_NOT_EDITABLE:
    "設定ファイルの書き方のため、ここからは変更できません。ファイルを直接編集してください。",
  SEVERAL_SERVERS:
    "設定ファイルがサーバーごとにあるため、ここからは変更できません。すべてのホストで編集してください。",
  NEEDS_POSTGRESQL: "ワーカーには PostgreSQL が必要です。",
  WORKER_NOT_FOUND: "このワーカーは見つかりません。",
  WORKER_EXISTS: "同じ名前のワーカーがあります。",
  JOB_NOT_FOUND: "このジョブは、すでに再試行されたか、見つかりません。",
  TOO_MANY_CONNECTIONS:
    "接続が多すぎます。ほかのダッシュボードやクライアントを閉じてから、もう一度試してください。",
  TOO_MANY_TRIES: "トークンを続けて間違えたため、しばらく待つ必要があります。",
  INVALID_ARGUMENTS: "入力内容を確認してください。",
  WORKING_DIRECTORY_NOT_FOUND: "作業ディレクトリが見つかりません。存在するパスを指定してください。",
  MAX_CONCURRENT_REACHED: "待ち行列がいっぱいです。実行中のエージェントの終了を待ってください。",
  NOT_SIGNED_IN: "サインインしてください。",
  NOT_ALLOWED: "この操作をする権限がありません。",
  PERSON_NEEDED: "この操作は人だけが行えます。",
  TOOL_QUARANTINED: "このツールは定義が変わったため、確認されるまで使えません。",
  STORE_FULL: "ディスクの空きがありません。空きを作ると続きから再開します。",
  GIT_UNAVAILABLE: "git を実行できません。git 2.38 以降が必要です。",
  REPOSITORY_UNUSABLE: "このリポジトリでは操作できません。",
  WORKTREE_UNUSABLE: "作業ツリーが壊れているか、別のものに変わっています。",
  DISK_FULL: "ディスクの空きがありません。空きを作ってから、もう一度操作してください。",
  STORE_READ_ONLY: "データベースに書き込めません。権限を確認してください。",
  STORE_UNAVAILABLE: "データベースが応答しません。少し待ってから、もう一度試してください。",
  STORE_NOT_MIGRATED:
    "データベースの準備ができていません。`kuromajutsu migrate` を実行してください。",
  STORE_NOT_SUPPORTED: "このデータベースは、このバージョンでは使えません。",
  STORE_LOST:
    "データベースのファイルが削除または置き換えられたため、デーモンは停止します。対処方法はログにあります。",
};
const OFFLINE: Record<Locale, ProblemText> = {
  ja: {
    title: "デーモンに接続できません。",
    detail: "操作が反映されていない可能性があります。接続が戻ったら画面を確認してください。",
  },
  en: {
    title: "The daemon is not responding.",
    detail: "Your change may not have been made. Check again when the connection is back.",
  },
};
const UNEXPECTED: Record<Locale, string> = {
  ja: "予期しないエラーが発生しました。",
  en: "An unexpected error occurred.",
};

function explain(error: unknown, locale: Locale): ProblemText {
  if (error instanceof Offline) return OFFLINE[locale];
  if (!(error instanceof ApiProblem)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { title: UNEXPECTED[locale], detail };
  }
  const known = locale === "ja" ? JA[error.code] : undefined;
  const said = [error.message, error.hint].filter(Boolean).join(" ");
  return known === undefined
    ? { title: error.message, detail: error.hint }
    : { title: known, detail: said };
}

export function useProblemText(): (error: unknown) => ProblemText {
  const locale = useLocale((state) => state.locale);
  return (error) => explain(error, locale);
}
