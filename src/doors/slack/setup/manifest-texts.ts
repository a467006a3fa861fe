import type { Locale } from "../../../domain/locale.ts";

type ManifestTexts = {
  readonly description: string;
  readonly agentDescription: string;
  readonly prompts: readonly { readonly title: string; readonly message: string }[];
  readonly commandDescription: string;
  readonly usageHint: string;
  /** At most 24 characters. */
  readonly shortcut: string;
  readonly shortcutDescription: string;
};

/** What people read in Slack about the app itself. */
export const MANIFEST_TEXTS: Readonly<Record<Locale, ManifestTexts>> = {
  ja: {
    description: "業務の依頼、承認、確認、中止を Slack のスレッドで行えます",
    agentDescription:
      "業務を依頼すると、分析、実行方針、実行ステップ、実行の 4 枚のカードで進めます。",
    prompts: [
      { title: "勤怠集計", message: "今月の勤怠をまとめて" },
      { title: "残業確認", message: "先月の残業時間を確認して" },
      { title: "従業員一覧", message: "従業員一覧を取得して" },
    ],
    commandDescription: "依頼、タスクと承認待ちの確認、アカウントの連携",
    usageHint: "依頼の内容 | status | approvals | cancel <ID> | link <コード> | help",
    shortcut: "Kuromajutsu に依頼",
    shortcutDescription: "このメッセージをタスクにします",
  },
  en: {
    description: "Ask for work, approve it, watch it and stop it from a Slack thread",
    agentDescription:
      "Ask for work and follow it on four cards: the analysis, the prompt, the process and the execution.",
    prompts: [
      { title: "Attendance", message: "Summarize this month's attendance" },
      { title: "Overtime", message: "Check last month's overtime" },
      { title: "Employees", message: "Get the list of employees" },
    ],
    commandDescription: "Ask for work, see tasks and approvals, link your account",
    usageHint: "your request | status | approvals | cancel <id> | link <code> | help",
    shortcut: "Ask Kuromajutsu",
    shortcutDescription: "Make a task of this message",
  },
};
