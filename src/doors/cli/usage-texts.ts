import type { Locale } from "../../domain/locale.ts";

/** The texts of the help and of usage errors that belong to no single command. */
export type UsageTexts = {
  readonly title: string;
  /** Headings by the English ones of the framework. */
  readonly headings: Readonly<Record<string, string>>;
  readonly examples: string;
  readonly helpOption: string;
  readonly versionOption: string;
  readonly groups: Readonly<Record<string, string>>;
  readonly footer: (program: string) => string;
  readonly unknownCommand: (name: string) => string;
  readonly unknownOption: (flag: string) => string;
  readonly didYouMean: (names: string) => string;
  readonly missingArgument: (name: string) => string;
  readonly missingCommand: (name: string) => string;
  readonly missingValue: (flags: string) => string;
  readonly unexpected: (words: string) => string;
  readonly invalidValue: (name: string, found: string, expected: string) => string;
  readonly oneOf: (values: string) => string;
  readonly seeHelp: (command: string) => string;
};

const ENVIRONMENT =
  "KUROMAJUTSU_PORT, KUROMAJUTSU_CONFIG, KUROMAJUTSU_LOG_LEVEL, KUROMAJUTSU_DATA_DIR,\n  KUROMAJUTSU_BIND, KUROMAJUTSU_AUDIT_KEY_FILE, KUROMAJUTSU_SLACK_KEY_FILE, SLACK_*,\n  KUROMAJUTSU_TOKEN";

const ja: UsageTexts = {
  title: "黒魔術 Kuromajutsu — AI エージェントの管制室",
  headings: {
    "Usage:": "使い方:",
    "Arguments:": "引数:",
    "Options:": "オプション:",
    "Commands:": "コマンド:",
  },
  examples: "例:",
  helpOption: "ヘルプを表示します",
  versionOption: "バージョンを表示します",
  groups: {
    template: "用意された仕事を使い、終わったタスクを再利用します（list、show、use、save）",
    schedule: "決まった時刻にタスクを依頼します（add、list、show など）",
    alerts: "人へのアラートを表示し、試しに送ります（list、test）",
    user: "サインインできる人を管理します（add、list、token、remove）",
    slack:
      "Slack のアプリを準備し、確かめます（manifest、doctor、install-link、workspaces、remove）",
    service: "デーモンをこのマシンのサービスとして動かします（install、status、uninstall）",
    audit: "監査の記録を検証したり、今の状態で受け入れたりします（verify、anchor）",
  },
  footer: (program) => `コマンドごとの説明: ${program} help <command>

環境変数:
  ${ENVIRONMENT}（サインインする人のトークン。コマンドと mcp が使います）
  詳しくは docs/configuration.ja.md をご覧ください。`,
  unknownCommand: (name) => `「${name}」というコマンドはありません。`,
  unknownOption: (flag) => `${flag} というオプションはありません。`,
  didYouMean: (names) => `もしかして: ${names}`,
  missingArgument: (name) => `引数 <${name}> がありません。`,
  missingCommand: (name) => `${name} の後にコマンドが必要です。`,
  missingValue: (flags) => `${flags} には値が必要です。`,
  unexpected: (words) => `余分な引数があります: ${words}`,
  invalidValue: (name, found, expected) =>
    `${name} に「${found}」は指定できません。${expected}を指定してください。`,
  oneOf: (values) => `${values} のいずれか`,
  seeHelp: (command) => `使い方は \`${command} --help\` で確認できます。`,
};

const en: UsageTexts = {
  title: "Kuromajutsu 黒魔術 — the control room for AI agents",
  headings: {},
  examples: "Examples:",
  helpOption: "show this help",
  versionOption: "show the version",
  groups: {
    template: "use ready work, and save a finished task for later: list, show, use, save",
    schedule: "request tasks at fixed times: add, list, show and more",
    alerts: "list the alerts for people, or send a test: list, test",
    user: "manage who may sign in: add, list, token, remove",
    slack: "set up and check the Slack app: manifest, doctor, install-link, workspaces, remove",
    service: "run the daemon as a service of this machine: install, status, uninstall",
    audit: "check the audit or accept it as it is: verify, anchor",
  },
  footer: (program) => `Help for one command: ${program} help <command>

Environment:
  ${ENVIRONMENT} (of a person, for these commands and for mcp)
  docs/configuration.md says more.`,
  unknownCommand: (name) => `There is no command "${name}".`,
  unknownOption: (flag) => `There is no option ${flag}.`,
  didYouMean: (names) => `Did you mean ${names}?`,
  missingArgument: (name) => `The argument <${name}> is missing.`,
  missingCommand: (name) => `${name} needs one of its commands.`,
  missingValue: (flags) => `${flags} needs a value.`,
  unexpected: (words) => `Unexpected: ${words}.`,
  invalidValue: (name, found, expected) => `${name}: found "${found}"; expected ${expected}.`,
  oneOf: (values) => `one of ${values}`,
  seeHelp: (command) => `Run \`${command} --help\` to see how it is used.`,
};

export const USAGE_TEXTS: Readonly<Record<Locale, UsageTexts>> = { ja, en };
