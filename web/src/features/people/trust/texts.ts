import type { PowerKind } from "../../../../../src/contract/shapes/trust.ts";
import { defineTexts } from "../../../i18n/texts.ts";

const KIND_JA: Record<PowerKind, string> = {
  server: "MCP サーバー",
  tool: "ロールツール",
  variable: "エージェントに渡す環境変数",
  program: "起動するプログラム",
  host: "受け付けるホスト名",
  origin: "ページからの操作を許すオリジン",
  person: "サインインできる利用者",
  slack: "Slack の利用者、チャンネル、公開アドレス",
  role: "職種",
  alerts: "アラートの送り先と規則",
  telemetry: "トレースとメトリクスの送信先",
  store: "データを保存するデータベース",
  "unplanned-tools": "計画外のツールの許可",
  stop: "停止までの猶予",
  workspace: "作業ツリーのコマンド、場所、コピーするファイル、取り込み先",
  protection: "既定より保護を弱める設定",
};

const KIND_EN: Record<PowerKind, string> = {
  server: "MCP server",
  tool: "Role tool",
  variable: "Environment variable passed to agents",
  program: "Program to start",
  host: "Accepted host name",
  origin: "Origin whose pages may use the daemon",
  person: "Person who may sign in",
  slack: "Slack user, user group, channel or address",
  role: "Role",
  alerts: "Rules and receivers of alerts",
  telemetry: "Where traces and metrics are sent",
  store: "Database that keeps everything",
  "unplanned-tools": "Unplanned tools allowed",
  stop: "Grace period before a hard stop",
  workspace: "Command, place, copied files or target branch of worktrees",
  protection: "Weaker protection than the default",
};

export const TEXTS = defineTexts({
  ja: {
    title: "この設定ファイルは、まだ信頼されていません",
    lead: "フォルダーにあった設定ファイルです。次の設定は、信頼するまで使われません。ほかの設定は使われています。",
    warning:
      "信頼すると、コマンドはあなたの権限で動き、文章はエージェントへの指示になります。出どころを知っているファイルだけを信頼してください。",
    kind: KIND_JA,
    alreadyTrusted: (count: number) => `ほか ${count} 件は信頼済みです。`,
    rules: "あわせて同意する規則",
    trust: "信頼して使う",
    trusting: "反映しています…",
    notNow: "今は信頼しない",
    closed: (count: number) => `信頼されていない設定が ${count} 件あり、使われていません。`,
    review: "内容を確認",
    onlyAdmin: "信頼できるのは管理者だけです。",
    inTerminal: "端末では",
    copyCommand: "コマンドをコピー",
    done: "設定ファイルを信頼しました",
  },
  en: {
    title: "This configuration file is not trusted yet",
    lead: "It was found in the folder. The following is not used until you trust it; all other settings are.",
    warning:
      "If you trust it, its commands run with your permissions, and its texts become instructions to agents. Trust only a file whose origin you know.",
    kind: KIND_EN,
    alreadyTrusted: (count) => (count === 1 ? "1 more is trusted." : `${count} more are trusted.`),
    rules: "Rules you also agree to",
    trust: "Trust and use it",
    trusting: "Applying…",
    notNow: "Not now",
    closed: (count) =>
      count === 1
        ? "1 setting is not trusted, so it is not used."
        : `${count} settings are not trusted, so they are not used.`,
    review: "Review",
    onlyAdmin: "Only an admin can trust it.",
    inTerminal: "In a terminal",
    copyCommand: "Copy the command",
    done: "The configuration file is trusted",
  },
});
