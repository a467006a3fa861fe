import type { Locale } from "../../../domain/locale.ts";

export type WelcomeTexts = {
  readonly dashboard: string;
  readonly team: string;
  readonly agents: (names: readonly string[]) => string;
  readonly noCli: (clis: readonly string[]) => string;
  readonly rehearsalConfigured: string;
  readonly noRole: string;
  readonly clients: string;
  readonly claude: string;
  readonly json: string;
  readonly signIn: string;
  readonly signInNote: (command: string) => string;
  readonly config: string;
  readonly defaults: string;
  readonly data: string;
  readonly stop: string;
  readonly untrusted: string;
  readonly trust: string;
};

const ja: WelcomeTexts = {
  dashboard: "ダッシュボード",
  team: "チームに伝えるアドレス",
  agents: (names) => `エージェントは ${names.join("、")} で動きます。`,
  noCli: (clis) =>
    `エージェントの CLI が見つからないため、リハーサルのみ行います。実際に作業させるには ${clis.join("、")} のいずれかをインストールしてください。`,
  rehearsalConfigured: "設定 (runner: rehearsal) により、リハーサルのみ行います。",
  noRole: "どの職種も、いまは動かせません。ダッシュボードの「ヘルスチェック」をご覧ください。",
  clients: "MCP クライアントに加える",
  claude: "Claude Code だけに加える",
  json: "自分で書く場合の JSON",
  signIn: "サインイン",
  signInNote: (command) =>
    `必要です。端末と MCP クライアントでは、KUROMAJUTSU_TOKEN にトークンを設定します（発行: ${command} user add）`,
  config: "設定",
  defaults: "既定値（設定ファイルなし）",
  data: "データとログ",
  stop: "終了",
  untrusted: "この設定ファイルは信頼されていないため、次のものは使われません:",
  trust: "内容を確かめて信頼するには:",
};

const en: WelcomeTexts = {
  dashboard: "Dashboard",
  team: "For your team",
  agents: (names) => `Agents run with ${listOf(names, "and")}.`,
  noCli: (clis) =>
    `No agent CLI found: rehearsing. Install one of ${listOf(clis, "or")} to do real work.`,
  rehearsalConfigured: "Rehearsing, as configured (runner: rehearsal).",
  noRole: "No role can run agents right now. See Health in the dashboard.",
  clients: "Add it to your MCP clients",
  claude: "Only to Claude Code",
  json: "The JSON, to add it yourself",
  signIn: "Sign-in",
  signInNote: (command) =>
    `is on. In terminals and MCP clients set KUROMAJUTSU_TOKEN to a token of ${command} user add`,
  config: "Configuration",
  defaults: "built-in defaults (no file)",
  data: "Data and log",
  stop: "Stop",
  untrusted: "This configuration file is not trusted, so these are not used:",
  trust: "To look at it and trust it:",
};

function listOf(names: readonly string[], word: "and" | "or"): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word} ${last}`;
}

export const WELCOME_TEXTS: Readonly<Record<Locale, WelcomeTexts>> = { ja, en };
