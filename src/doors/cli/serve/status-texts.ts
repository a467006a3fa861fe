import type { DaemonStatus } from "../../../contract/hello.ts";
import { reasonIn } from "../../../contract/reason-texts.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { localTime } from "../terminal/local-time.ts";
import { displayWidth, padLabel } from "./display-width.ts";

type Row = readonly [label: string, value: string];

/** The answer of `kuromajutsu status`. */
export function renderStatus(status: DaemonStatus, locale: Locale): string {
  const texts = STATUS_TEXTS[locale];
  const {
    untrusted,
    failedServers = [],
    addresses = [],
    agents,
    tasks,
    servers,
    deadJobs = 0,
  } = status;
  const rows: readonly Row[] = [
    [texts.address, status.url ?? texts.none],
    ...addresses.map((address): Row => [texts.team, address]),
    [texts.signIn, status.signIn === true ? texts.signInOn : texts.signInOff],
    ...(status.storeProblem
      ? [[texts.database, status.storeProblem[locale]] satisfies Row]
      : ([
          [texts.agents, texts.agentCount(agents.live, agents.waiting)],
          [texts.tasks, texts.taskCount(tasks.unfinished, tasks.approvals)],
        ] satisfies Row[])),
    ...(deadJobs > 0 ? ([[texts.jobs, texts.deadJobs(deadJobs)]] satisfies Row[]) : []),
    [texts.clients, String(status.clients)],
    ...(servers === undefined
      ? []
      : ([[texts.servers, texts.serverCount(servers)]] satisfies Row[])),
    ...failedServers.map(({ name, error }): Row => [
      texts.failedServer,
      visibleLine(error === null ? name : `${name}: ${reasonIn(error, locale)}`),
    ]),
    [texts.data, visibleLine(status.dataDir)],
    [texts.log, status.logFile == null ? texts.logElsewhere : visibleLine(status.logFile)],
    [texts.config, status.configPath === null ? texts.defaults : visibleLine(status.configPath)],
    ...(untrusted ? ([[texts.notUsed, texts.untrusted(untrusted)]] satisfies Row[]) : []),
  ];
  const width = Math.max(...rows.map(([label]) => displayWidth(label)));
  const lines = rows.map(([label, value]) => `  ${padLabel(label, width)}  ${value}`);
  return `${[texts.running(status), ...lines].join("\n")}\n`;
}

type Untrusted = NonNullable<DaemonStatus["untrusted"]>;

export type StatusTexts = {
  readonly running: (status: DaemonStatus) => string;
  readonly notRunning: (dataDir: string, command: string) => string;
  readonly address: string;
  readonly team: string;
  readonly signIn: string;
  readonly signInOn: string;
  readonly signInOff: string;
  readonly database: string;
  readonly agents: string;
  readonly agentCount: (live: number, waiting: number) => string;
  readonly tasks: string;
  readonly taskCount: (unfinished: number, approvals: number) => string;
  readonly jobs: string;
  readonly deadJobs: (count: number) => string;
  readonly clients: string;
  readonly servers: string;
  readonly serverCount: (count: number) => string;
  readonly failedServer: string;
  readonly data: string;
  readonly log: string;
  readonly logElsewhere: string;
  readonly config: string;
  readonly defaults: string;
  readonly none: string;
  readonly notUsed: string;
  readonly untrusted: (untrusted: Untrusted) => string;
};

export const STATUS_TEXTS: Readonly<Record<Locale, StatusTexts>> = {
  ja: {
    running: ({ version, pid, startedAt }) =>
      `Kuromajutsu ${version} は動いています（pid ${pid}、${localTime(startedAt)} から）。`,
    notRunning: (dataDir, command) =>
      `${dataDir} のデーモンは動いていません。\`${command} serve\` で始められます。`,
    address: "アドレス",
    team: "チームに伝えるアドレス",
    signIn: "サインイン",
    signInOn: "必要（端末では KUROMAJUTSU_TOKEN を設定します）",
    signInOff: "なし（このマシンからだけ使えます）",
    database: "データベース",
    agents: "エージェント",
    agentCount: (live, waiting) => `実行中 ${live} 体、待ち ${waiting} 体`,
    tasks: "タスク",
    taskCount: (unfinished, approvals) => `未完了 ${unfinished} 件、承認待ち ${approvals} 件`,
    jobs: "ジョブ",
    deadJobs: (count) => `${count} 件をあきらめました（\`kuromajutsu jobs\` で確認できます）`,
    clients: "クライアント",
    servers: "サーバー",
    serverCount: (count) => `${count} 台（データベースを共有）`,
    failedServer: "使えない MCP サーバー",
    data: "データ",
    log: "ログ",
    logElsewhere: "デーモンを起動した端末かプログラムに出ています",
    config: "設定",
    defaults: "既定値（設定ファイルなし）",
    none: "なし",
    notUsed: "使われない設定",
    untrusted: ({ path, notUsed, problem, command }) =>
      `${visibleLine(path)} は信頼されていません: ${notUsed.map(visibleLine).join("、")}。${problem ? `${visibleLine(problem)} ` : ""}内容を確かめて信頼するには: ${command}`,
  },
  en: {
    running: ({ version, pid, startedAt }) =>
      `Kuromajutsu ${version} runs (pid ${pid}, since ${localTime(startedAt)}).`,
    notRunning: (dataDir, command) =>
      `No daemon runs for ${dataDir}. Start one with \`${command} serve\`.`,
    address: "address",
    team: "for your team",
    signIn: "sign-in",
    signInOn: "required (in a terminal set KUROMAJUTSU_TOKEN)",
    signInOff: "off (only this machine can connect)",
    database: "database",
    agents: "agents",
    agentCount: (live, waiting) => `${live} running, ${waiting} queued`,
    tasks: "tasks",
    taskCount: (unfinished, approvals) =>
      `${unfinished} unfinished, ${approvals} ${approvals === 1 ? "approval" : "approvals"} open`,
    jobs: "jobs",
    deadJobs: (count) => `${count} given up; look at them with \`kuromajutsu jobs\``,
    clients: "clients",
    servers: "servers",
    serverCount: (count) => `${count}, sharing one database`,
    failedServer: "failed MCP server",
    data: "data",
    log: "log",
    logElsewhere: "in the terminal or program that started the daemon",
    config: "config",
    defaults: "built-in defaults",
    none: "none",
    notUsed: "not used",
    untrusted: ({ path, notUsed, problem, command }) =>
      `${visibleLine(path)} is not trusted: ${notUsed.map(visibleLine).join(", ")}. ${problem ? `${visibleLine(problem)} ` : ""}To look at it and trust it: ${command}`,
  },
};
