import type { AuditVerified } from "../../app/people/verify-audit.ts";
import type { Locale, Texts } from "../../domain/locale.ts";

/** What the commands say that manage the daemon, people and the audit. */
export type AdminTexts = {
  readonly noDaemon: (dataDir: string) => string;
  readonly noDaemonForAgents: (dataDir: string) => string;
  readonly stopped: (pid: number, agents: string) => string;
  readonly notStopped: (pid: number, seconds: number) => string;
  readonly agentsGoOn: (live: number) => string;
  readonly agentsEnded: (live: number, waiting: number) => string;
  readonly notReloaded: (why: string) => string;
  readonly reloaded: (config: string | null) => string;
  readonly afterRestart: (settings: readonly string[]) => string;
  readonly userExists: (program: string, id: string) => string;
  readonly userAdded: (id: string, role: string) => string;
  readonly firstUser: string;
  readonly userRemoved: (id: string) => string;
  readonly lastUserRemoved: string;
  readonly nobodyDecides: (program: string) => string;
  readonly tokenReplaced: (id: string) => string;
  readonly noUser: (id: string, known: readonly string[]) => string;
  readonly nobodySignsIn: string;
  readonly fileMade: (path: string) => string;
  readonly fileChanged: (path: string) => string;
  readonly stillMissing: (problem: Texts) => string;
  readonly daemonUnreachable: string;
  readonly changeNotUsed: (why: string) => string;
  readonly changeUsed: string;
  readonly token: string;
  readonly daemonMustStop: (program: string) => string;
  readonly anchored: string;
  readonly noAddressYet: string;
  readonly forPeople: (program: string, command: string) => string;
  readonly audit: (verified: AuditVerified) => string;
};

const ja: AdminTexts = {
  noDaemon: (dataDir) => `${dataDir} のデーモンは動いていません。`,
  noDaemonForAgents: (dataDir) =>
    `${dataDir} のデーモンは動いていないため、残っているかもしれないエージェントを停止できません。デーモンを起動してから、もう一度実行してください。`,
  stopped: (pid, agents) => `デーモン (pid ${pid}) を終了しました。${agents}`,
  notStopped: (pid, seconds) =>
    `デーモン (pid ${pid}) が ${seconds} 秒以内に終了しませんでした。ログを確認するか、プロセスを終了させてください。`,
  agentsGoOn: (live) =>
    live === 0
      ? "動いているエージェントはありませんでした。"
      : `エージェント ${live} 体は動き続けます。次のデーモンが引き継ぎます。`,
  agentsEnded: (live, waiting) =>
    `エージェント ${live} 体を停止しました。${waiting} 体は次のデーモンを待ちます。`,
  notReloaded: (why) => `何も変更しませんでした。${why}`,
  reloaded: (config) => `設定 (${config ?? "組み込みの既定値"}) を反映しました。`,
  afterRestart: (settings) => `再起動後に反映されるもの: ${settings.join("、")}`,
  userExists: (program, id) =>
    `${id} はすでにいます。なくしたトークンは \`${program} user token ${id}\` で作り直せます。`,
  userAdded: (id, role) => `${id} は ${role} としてサインインできます。`,
  firstUser: "これからは、あなたも含めて全員がサインインする必要があります。",
  nobodyDecides: (program) =>
    `閲覧者 (viewer) しかいないため、タスクを依頼したり承認したりできる人がいません。\`${program} user add <id> --role operator\` か \`--role admin\` で、もう 1 人加えてください。`,
  userRemoved: (id) => `${id} はサインインできなくなりました。`,
  lastUserRemoved:
    "誰も残っていないので、サインインは不要になりました。この機械の利用者はみな `local` です。",
  tokenReplaced: (id) =>
    `${id} の古いトークンは無効になり、${id} はすべての場所でサインアウトされました。`,
  noUser: (id, known) =>
    `${id} という利用者はいません。${known.length === 0 ? "まだ誰も登録されていません。" : `登録済み: ${known.join("、")}`}`,
  nobodySignsIn: "サインインは不要です。この機械の利用者はみな `local` です。",
  fileMade: (path) => `${path} を作成しました。`,
  fileChanged: (path) => `${path} を変更しました。`,
  stillMissing: (problem) =>
    `まだ必要なことがあります (このままではデーモンが起動しません): ${problem.ja}`,
  daemonUnreachable: "動いているデーモンに接続できませんでした。再起動してください。",
  changeNotUsed: (why) => `動いているデーモンは変更を反映していません: ${why}`,
  changeUsed: "動いているデーモンに反映しました。",
  token:
    "トークンは今だけ表示されます。ダッシュボードのサインインと、端末と MCP クライアントの KUROMAJUTSU_TOKEN に使います:",
  daemonMustStop: (program) =>
    `デーモンが動いています。\`${program} stop\` で終了してから、もう一度実行してください。`,
  anchored: "監査の記録を、今の状態で控えに取りました。",
  noAddressYet:
    "デーモンにはまだ HTTP のアドレスがありません。少し待ってからもう一度実行してください。",
  forPeople: (program, command) =>
    `\`${program} ${command}\` は人のためのコマンドで、エージェントの中では動きません。ダッシュボードで決めるよう、利用者に頼んでください。`,
  audit({ entries, anchoredUntil, firstBroken }) {
    if (firstBroken)
      return `監査の記録は ${firstBroken.seq} 件目で壊れています。${firstBroken.why}`;
    if (entries === 0) return "監査の記録はまだありません。";
    const head =
      anchoredUntil === undefined
        ? "控え (デーモンが書きます) がまだないため、全体が書き換えられていても分かりません。"
        : `封印された控えと ${anchoredUntil} 件目まで一致しています。`;
    return `監査の記録に問題はありません: ${entries} 件すべてがつながっています。${head}`;
  },
};

const agents = (count: number) => (count === 1 ? "1 agent" : `${count} agents`);

const en: AdminTexts = {
  noDaemon: (dataDir) => `No daemon runs for ${dataDir}.`,
  noDaemonForAgents: (dataDir) =>
    `No daemon runs for ${dataDir}, so agents that it may have left running cannot be stopped. Start one, then run this again.`,
  stopped: (pid, said) => `The daemon (pid ${pid}) has stopped. ${said}`,
  notStopped: (pid, seconds) =>
    `The daemon (pid ${pid}) has not ended within ${seconds} s. Look at its log, or end the process.`,
  agentsGoOn: (live) =>
    live === 0
      ? "No agent was running."
      : `${agents(live)} ${live === 1 ? "goes" : "go"} on; the next daemon takes over.`,
  agentsEnded: (live, waiting) =>
    `${agents(live)} ${live === 1 ? "was" : "were"} stopped; ${waiting} ${waiting === 1 ? "waits" : "wait"} for the next daemon.`,
  notReloaded: (why) => `Nothing was changed. ${why}`,
  reloaded: (config) => `The configuration (${config ?? "built-in defaults"}) is in use now.`,
  afterRestart: (settings) => `After a restart also: ${settings.join(", ")}.`,
  userExists: (program, id) =>
    `${id} is there already. A lost token is replaced with \`${program} user token ${id}\`.`,
  userAdded: (id, role) => `${id} may sign in as ${role}.`,
  firstUser: "From now on everyone has to sign in, you too.",
  nobodyDecides: (program) =>
    `There are only viewers, so no person can request or approve tasks. Add another person with \`${program} user add <id> --role operator\` or \`--role admin\`.`,
  userRemoved: (id) => `${id} can no longer sign in.`,
  lastUserRemoved:
    "No one is left, so no one has to sign in: everyone on this machine is `local` again.",
  tokenReplaced: (id) =>
    `The old token of ${id} is no longer valid, and ${id} is signed out everywhere.`,
  noUser: (id, known) =>
    `There is no person ${id}. ${known.length === 0 ? "Nobody has been added yet." : `There is ${known.join(", ")}.`}`,
  nobodySignsIn: "Nobody has to sign in: everyone on this machine is `local`.",
  fileMade: (path) => `Made ${path}.`,
  fileChanged: (path) => `Changed ${path}.`,
  stillMissing: (problem) => `Still to be done, or no daemon starts: ${problem.en}`,
  daemonUnreachable: "The running daemon could not be reached; restart it.",
  changeNotUsed: (why) => `The running daemon does not use the change: ${why}`,
  changeUsed: "The running daemon uses the change now.",
  token:
    "The token, which is shown only now; it is for the dashboard, and as KUROMAJUTSU_TOKEN for the terminal and for MCP clients:",
  daemonMustStop: (program) =>
    `A daemon is running. Stop it (\`${program} stop\`), then try again.`,
  anchored: "The audit is anchored as it is now.",
  noAddressYet: "The daemon has no HTTP address yet; try again.",
  forPeople: (program, command) =>
    `\`${program} ${command}\` is for people and does not run inside an agent. Ask the person to decide in the dashboard.`,
  audit({ entries, anchoredUntil, firstBroken }) {
    if (firstBroken) return `The audit is broken at entry ${firstBroken.seq}. ${firstBroken.why}`;
    if (entries === 0) return "The audit has no entries yet.";
    const head =
      anchoredUntil === undefined
        ? "It has no head yet (a daemon writes it), so a chain rewritten as a whole would not be noticed."
        : `The sealed head fits up to entry ${anchoredUntil}.`;
    const count = entries === 1 ? "1 entry" : `${entries} entries`;
    return `The audit is whole: ${count}, each continuing the one before. ${head}`;
  },
};

export const ADMIN_TEXTS: Readonly<Record<Locale, AdminTexts>> = { ja, en };
