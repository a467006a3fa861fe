import { PAUSE_SECONDS } from "../../../contract/demo.ts";
import type { Locale } from "../../../domain/locale.ts";

export type DemoTexts = {
  readonly title: string;
  readonly dashboard: string;
  readonly isDemo: string;
  readonly leavesNothing: string;
  readonly end: string;
  readonly endKeys: string;
  readonly real: string;
  readonly ending: string;
  readonly ended: string;
  readonly needsTerminal: string;
  readonly choose: string;
  readonly chooseNumber: string;
  readonly stories: Readonly<Record<"hr" | "coding", string>>;
  readonly intro: string;
  /** Said before each kind of question. */
  readonly before: Readonly<Record<string, string>>;
  readonly block: string;
  readonly askReason: string;
  readonly stopping: string;
  readonly stopped: string;
  readonly askUnblock: string;
  readonly next: (command: string) => string;
};

const ja: DemoTexts = {
  title: "デモ",
  dashboard: "ダッシュボード",
  isDemo: "デモです。エージェントはすべてリハーサルで、モデルは使わず、料金もかかりません。",
  leavesNothing:
    "一時ディレクトリだけを使います。終了すると、すべて削除します。あなたの設定やデーモンには触れません。",
  end: "終了",
  endKeys: "q または Ctrl-C",
  real: "実際に使う",
  ending: "エージェントを停止して、デモを片付けています…",
  ended: "デモを終了しました。何も残していません。",
  needsTerminal:
    "--terminal は、入力できる端末で使ってください。ブラウザーで試すには、--terminal を付けずに実行します。",
  choose: "どの話を試しますか?",
  chooseNumber: "番号を入力してください (1 か 2): ",
  stories: {
    hr: "人事: 残業時間を集計し、シートに書く前に人が確認します",
    coding: "コーディング: 3 体が並行して作業し、同じファイルの変更が競合します",
  },
  intro:
    "これはデモです。モデルは使いません。終了すると、すべて削除します。途中でやめるには Ctrl-C。",
  before: {
    prompt: "まず、何をどう進めるかの下書き (実行方針) です。承認するまで、何も実行しません。",
    process:
      "次は実行ステップです。承認したステップのツールだけを使えます。🔍 の前には、もう一度尋ねます。",
    step: "🔍 人の確認です。実際に送る引数をそのまま表示します。承認するまで、書き込みません。",
    question: "2 体が同じファイルを変更しました (競合)。どちらを残すかは、あなたが決めます。",
  },
  block: `ここで、ブロックを試してみましょう。実行は ${PAUSE_SECONDS} 秒だけ待っています。`,
  askReason: "ブロックする理由 (Enter だけで、ブロックせずに続けます): ",
  stopping: "ブロックしました。エージェントに停止を知らせています…",
  stopped: "エージェントが停止しました。人が解除するまで、何も実行しません。",
  askUnblock: "Enter でブロックを解除します: ",
  next: (command) =>
    `これで一通りです。自分の仕事で使うには、\`${command} init\`（MCP クライアントに加える）か \`${command}\`（ダッシュボードを開く）を実行してください。`,
};

const en: DemoTexts = {
  title: "Demo",
  dashboard: "Dashboard",
  isDemo: "This is a demo. All agents rehearse: no model is used, and it costs nothing.",
  leavesNothing:
    "It uses a temporary directory only, and deletes everything when it ends. Your configuration and daemon are not touched.",
  end: "End",
  endKeys: "q or Ctrl-C",
  real: "The real thing",
  ending: "Stopping the agents and tidying up…",
  ended: "The demo has ended. Nothing was left behind.",
  needsTerminal:
    "--terminal needs a terminal to type in. Leave it out to try the demo in a browser.",
  choose: "Which story do you want to try?",
  chooseNumber: "Type a number (1 or 2): ",
  stories: {
    hr: "HR: sum up overtime; a person checks before the sheet is written",
    coding: "Coding: three agents work in parallel, and two change the same file",
  },
  intro:
    "This is a demo. No model is used, and everything is deleted when it ends. Ctrl-C leaves it.",
  before: {
    prompt:
      "First, a draft of what will be done and how: the prompt. Nothing runs until you approve it.",
    process:
      "Next, the steps. Only the tools of approved steps can be used, and before a 🔍 you are asked again.",
    step: "🔍 A human check. These are exactly the arguments that will be sent. Nothing is written until you approve.",
    question: "Two agents changed the same file: a conflict. You decide which version stays.",
  },
  block: `Now try to block it. The execution waits ${PAUSE_SECONDS} seconds for you.`,
  askReason: "Reason to block it (just Enter: go on without blocking): ",
  stopping: "Blocked. The agents are being notified…",
  stopped: "The agents have stopped. Nothing runs until a person unblocks it.",
  askUnblock: "Press Enter to unblock it: ",
  next: (command) =>
    `That was the whole tour. For your own work: \`${command} init\` adds it to MCP clients, \`${command}\` opens the dashboard.`,
};

export const DEMO_TEXTS: Readonly<Record<Locale, DemoTexts>> = { ja, en };
