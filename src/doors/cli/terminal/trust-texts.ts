import type { PowerKind } from "../../../contract/shapes/trust.ts";
import type { Locale } from "../../../domain/locale.ts";

/** What the terminal says about a configuration file that needs trust. */
export type TrustTexts = {
  readonly kind: Record<PowerKind, string>;
  readonly intro: (path: string) => string;
  readonly isNew: string;
  readonly isTrusted: string;
  readonly rules: string;
  readonly weakened: Record<"people" | "rules" | "restrictions", string>;
  readonly warning: string;
  readonly question: string;
  readonly trusted: (path: string) => string;
  readonly notTrusted: (command: string) => string;
  readonly already: (path: string) => string;
  readonly harmless: (path: string) => string;
  readonly noTerminal: (command: string) => string;
  readonly revoked: (path: string) => string;
  readonly neverTrusted: (path: string) => string;
  readonly noFiles: string;
  readonly none: string;
  readonly daemonTook: string;
  readonly daemonAfterRestart: (names: string) => string;
  readonly daemonRefused: (why: string) => string;
};

const ja: TrustTexts = {
  kind: {
    server: "MCP サーバー",
    tool: "職種ツール",
    variable: "エージェントに渡す環境変数",
    program: "エージェントとして起動するプログラム",
    host: "受け付けるホスト名",
    origin: "ページからの操作を許すオリジン",
    person: "サインインできる人",
    slack: "Slack の利用者、チャンネル、公開アドレス",
    role: "職種",
    alerts: "アラートの送り先と規則",
    telemetry: "トレースとメトリクスの送信先",
    store: "データを保存するデータベース",
    "unplanned-tools": "計画にないツールを確認なしで許可",
    stop: "停止の猶予",
    workspace: "作業ツリーのコマンド、場所、コピーするファイル、取り込み先",
    protection: "既定より保護を弱める設定",
  },
  intro: (path) => `${path} は、まだ信頼されていません。信頼すると、次のものが使われます。`,
  isNew: "未承認",
  isTrusted: "承認済み",
  rules: "あわせて、次の規則に同意することになります。",
  weakened: {
    people: "サインインする人がいなくなり、この機械の誰もがすべてを操作できるようになります。",
    rules: "誰が承認を決めるかの規則 (tasks.approval など) が、前に信頼したときと違います。",
    restrictions:
      "前に信頼したときにあった制限 (職種の無効化、読み取り専用、専用の作業ツリー、executor の mcpServers、workspace.check) が、なくなったか変わっています。",
  },
  warning:
    "コマンドはあなたの権限で動き、文章はエージェントへの指示になります。出どころを知っているファイルだけを信頼してください。",
  question: "信頼しますか? [y/n] ",
  trusted: (path) => `${path} を信頼しました。`,
  notTrusted: (command) => `信頼していません。上のものは使われません。後で信頼するには: ${command}`,
  already: (path) => `${path} は、すでに信頼されています。`,
  harmless: (path) => `${path} には、信頼が必要な設定はありません。`,
  noTerminal: (command) =>
    `端末がないので尋ねられません。ダッシュボードで内容を確かめるか、端末で実行してください: ${command}`,
  revoked: (path) => `${path} の信頼を取り消しました。`,
  neverTrusted: (path) => `${path} は、信頼されていませんでした。`,
  noFiles: "信頼しているファイルはありません。",
  none: "ここから見つかる kuromajutsu.config.yaml はありません。ファイルかフォルダーを指定してください。",
  daemonTook: "動いているデーモンに反映しました。",
  daemonAfterRestart: (names) => `再起動の後に使われるもの: ${names}`,
  daemonRefused: (why) => `動いているデーモンには反映されていません: ${why}`,
};

const en: TrustTexts = {
  kind: {
    server: "MCP server",
    tool: "role tool",
    variable: "environment variable handed to agents",
    program: "program that is started as an agent",
    host: "host name that is answered",
    origin: "origin whose pages may use the daemon",
    person: "person who may sign in",
    slack: "Slack user, user group, channel or address",
    role: "role",
    alerts: "rules and receivers of alerts",
    telemetry: "where traces and metrics are sent",
    store: "database that keeps everything",
    "unplanned-tools": "tools outside the plan are allowed without asking",
    stop: "time an agent may take to stop",
    workspace: "command, place, copied files or target branch of worktrees",
    protection: "setting that protects less than the default",
  },
  intro: (path) => `${path} is not trusted yet. If you trust it, this is used:`,
  isNew: "new",
  isTrusted: "trusted",
  rules: "With it you agree to these rules:",
  weakened: {
    people: "People no longer have to sign in: everyone on this machine may do everything.",
    rules:
      "The rules about who decides (tasks.approval and others) differ from those you trusted before.",
    restrictions:
      "A restriction that you trusted before (a role that is disabled, read-only or has its own worktrees, the executor's mcpServers, workspace.check) is gone or changed.",
  },
  warning:
    "Commands run with your rights, and texts become instructions to agents. Trust only a file whose origin you know.",
  question: "Trust it? [y/n] ",
  trusted: (path) => `${path} is trusted now.`,
  notTrusted: (command) =>
    `It is not trusted, so none of this is used. To trust it later: ${command}`,
  already: (path) => `${path} is trusted already.`,
  harmless: (path) => `${path} has no setting that needs trust.`,
  noTerminal: (command) =>
    `There is no terminal to ask on. A person can decide in the dashboard, or in a terminal: ${command}`,
  revoked: (path) => `${path} is no longer trusted.`,
  neverTrusted: (path) => `${path} was not trusted.`,
  noFiles: "No file is trusted.",
  none: "No kuromajutsu.config.yaml is found from here. Name a file or a folder.",
  daemonTook: "The running daemon uses it now.",
  daemonAfterRestart: (names) => `In use after a restart: ${names}`,
  daemonRefused: (why) => `The running daemon has not taken it over: ${why}`,
};

export const TRUST_TEXTS: Readonly<Record<Locale, TrustTexts>> = { ja, en };
