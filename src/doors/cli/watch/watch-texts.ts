import type { Locale } from "../../../domain/locale.ts";

/** What the live view says. */
export type WatchTexts = {
  readonly connecting: string;
  readonly live: string;
  readonly lost: string;
  readonly counts: (running: number, queued: number, waiting: number) => string;
  readonly approvals: (count: number) => string;
  readonly members: (count: number) => string;
  readonly tasks: string;
  readonly groups: string;
  readonly nothing: string;
  readonly keys: string;
  readonly detailKeys: string;
  readonly help: readonly string[];
  readonly more: (count: number) => string;
  readonly confirmApprove: string;
  readonly confirmStop: (count: number) => string;
  readonly confirmUnblock: string;
  readonly typeReason: string;
  readonly typeBlockReason: string;
  readonly typeAnswer: string;
  readonly reasonNeeded: string;
  readonly inputKeys: string;
  readonly notHere: Record<"approve" | "reject" | "block" | "stop", string>;
  readonly outcomeElsewhere: (program: string, id: string) => string;
  readonly done: Record<"approved" | "rejected" | "blocked" | "unblocked" | "answered", string>;
  readonly stopped: (count: number) => string;
  readonly loading: string;
  readonly needsTerminal: (program: string) => string;
  readonly tooSmall: string;
  readonly choices: string;
};

const ja: WatchTexts = {
  connecting: "接続中",
  live: "ライブ",
  lost: "接続が切れました。再接続しています",
  counts: (running, queued, waiting) =>
    `実行中 ${running} 体 · 順番待ち ${queued} 体 · 承認待ち ${waiting} 件`,
  members: (count) => `${count} 体`,
  approvals: (count) => `あなたの判断を待っています (${count})`,
  tasks: "タスク",
  groups: "グループとエージェント",
  nothing:
    'まだ何もありません。別の端末で `kuromajutsu run "…"` を実行すると、ここに表示されます。',
  keys: "↑↓ 選択  Enter 詳細  a 承認  r 却下  b ブロック  s 停止  ? ヘルプ  q 終了",
  detailKeys: "↑↓ スクロール  a 承認  r 却下  b ブロック  s 停止  Esc 戻る  q 終了",
  help: [
    "↑ ↓ / k j      選択、詳細ではスクロール",
    "PgUp PgDn      1 画面ずつ移動",
    "Enter          詳細（エージェントでは発言と操作の記録）",
    "a              承認（内容を表示してから確認します）、質問には回答",
    "r              却下（理由を入力します）",
    "b              タスクをブロック（理由を入力します）。ブロック中なら解除",
    "s              エージェントまたはグループを停止",
    "Esc            戻る",
    "q / Ctrl-C     終了（タスクとエージェントは動き続けます）",
    "",
    "何かキーを押すと戻ります。",
  ],
  more: (count) => `↓ ほか ${count} 行`,
  confirmApprove: "承認しますか? [y = 承認 / n = やめる]",
  confirmStop: (count) => `エージェント ${count} 体を停止しますか? [y = 停止 / n = やめる]`,
  confirmUnblock: "ブロックを解除しますか? [y = 解除 / n = やめる]",
  typeReason: "却下の理由: ",
  typeBlockReason: "ブロックの理由 (省略可): ",
  typeAnswer: "回答: ",
  reasonNeeded: "理由を入力してください。次の版に反映されます。",
  inputKeys: "Enter 送信  Esc やめる",
  notHere: {
    approve: "承認できるのは承認待ちの行です。",
    reject: "却下できるのは承認待ちの行です。",
    block: "ブロックできるのは、終わっていないタスクに属する行です。",
    stop: "停止できるのは、動いているエージェントかそのグループです。",
  },
  outcomeElsewhere: (program, id) =>
    `結果不明の呼び出しは ${program} approvals ${id} approve --answer done|repeat で決めてください。`,
  done: {
    approved: "承認しました。",
    rejected: "却下しました。",
    blocked: "ブロックしました。",
    unblocked: "ブロックを解除しました。",
    answered: "回答しました。",
  },
  stopped: (count) => `エージェント ${count} 体を停止しています。`,
  loading: "読み込んでいます…",
  needsTerminal: (program) =>
    `watch には端末が必要です。スクリプトでは ${program} agents --json や ${program} tasks --json を使ってください。`,
  tooSmall: "端末を広げてください。",
  choices: "選択肢",
};

const en: WatchTexts = {
  connecting: "connecting",
  live: "live",
  lost: "connection lost, reconnecting",
  counts: (running, queued, waiting) =>
    `${running} running · ${queued} queued · ${waiting} awaiting approval`,
  members: (count) => (count === 1 ? "1 agent" : `${count} agents`),
  approvals: (count) => `Waiting for you (${count})`,
  tasks: "Tasks",
  groups: "Groups and agents",
  nothing: 'Nothing yet. Run `kuromajutsu run "…"` in another terminal.',
  keys: "↑↓ select  Enter details  a approve  r reject  b block  s stop  ? help  q quit",
  detailKeys: "↑↓ scroll  a approve  r reject  b block  s stop  Esc back  q quit",
  help: [
    "↑ ↓ / k j      select; scroll in details",
    "PgUp PgDn      move by a screen",
    "Enter          details (of an agent: what it says and does)",
    "a              approve (shows what it is about, then asks); answers a question",
    "r              reject, with a reason",
    "b              block the task, with a reason; unblocks a blocked one",
    "s              stop the agent or the group",
    "Esc            back",
    "q / Ctrl-C     quit (tasks and agents go on)",
    "",
    "Press any key to go back.",
  ],
  more: (count) => `↓ ${count} more`,
  confirmApprove: "Approve? [y = approve / n = no]",
  confirmStop: (count) =>
    `Stop ${count === 1 ? "1 agent" : `${count} agents`}? [y = stop / n = no]`,
  confirmUnblock: "Unblock? [y = unblock / n = no]",
  typeReason: "Reason to reject: ",
  typeBlockReason: "Reason to block (optional): ",
  typeAnswer: "Answer: ",
  reasonNeeded: "Please give a reason; the next version follows it.",
  inputKeys: "Enter send  Esc cancel",
  notHere: {
    approve: "Select a line that waits for approval.",
    reject: "Select a line that waits for approval.",
    block: "Select a line of a task that has not ended.",
    stop: "Select a running agent or its group.",
  },
  outcomeElsewhere: (program, id) =>
    `Decide this one with ${program} approvals ${id} approve --answer done|repeat.`,
  done: {
    approved: "Approved.",
    rejected: "Rejected.",
    blocked: "Blocked.",
    unblocked: "Unblocked.",
    answered: "Answered.",
  },
  stopped: (count) => `Stopping ${count === 1 ? "1 agent" : `${count} agents`}.`,
  loading: "Loading…",
  needsTerminal: (program) =>
    `watch needs a terminal. In scripts use ${program} agents --json or ${program} tasks --json.`,
  tooSmall: "Please make the terminal larger.",
  choices: "Choices",
};

export const WATCH_TEXTS: Readonly<Record<Locale, WatchTexts>> = { ja, en };
