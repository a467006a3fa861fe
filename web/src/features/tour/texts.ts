import { PAUSE_SECONDS } from "../../../../src/contract/demo.ts";
import { defineTexts } from "../../i18n/texts.ts";

export const TOUR = defineTexts({
  ja: {
    name: "ツアー",
    place: (at: number, of: number) => `${at} / ${of}`,
    leave: "ツアーを閉じる",
    resume: "ツアーを続ける",
    show: "場所を見る",
    toTask: "タスクを開く",
    again: "もう 1 つの話も試す",
    welcome: "ようこそ。3 分で一通り試せます",
    welcomeBody:
      "デモです。エージェントはすべてリハーサルなので、モデルは使わず、料金もかかりません。終わると、何も残りません。",
    choose: "話を選ぶと、タスクの依頼から始まります。",
    stories: {
      hr: {
        title: "人事: 残業時間の集計",
        body: "データを読み、計算し、シートに書く前に人が表を確認します。",
        button: "この仕事を依頼する",
      },
      coding: {
        title: "コーディング: 3 体で並行",
        body: "3 体が同時に作業し、2 体が同じファイルを変更します。どちらを残すかは、あなたが決めます。",
        button: "この仕事を依頼する",
      },
    },
    stages: {
      start: { title: "依頼する", body: "話を選んで、仕事を依頼してください。" },
      drafting: {
        title: "下書きを作っています",
        body: "エージェントが下書きを作っています。承認するまで、何も実行しません。",
      },
      prompt: {
        title: "実行方針を承認する",
        body: "何をどう進めるかの下書きです。読んで「承認」を押してください。却下すると、理由を添えて書き直します。",
      },
      process: {
        title: "実行ステップを承認する",
        body: "ここにあるツールだけを使えます。人が確認するステップには印が付いています。「承認」を押してください。",
      },
      watch: {
        title: "見守る",
        body: "エージェントが働いています。ステップとフィードに、いまの様子がそのまま表示されます。",
      },
      check: {
        title: "人が確認する",
        body: "書き込む直前です。表は、実際に送る内容そのものです。よければ「承認」を押してください。",
      },
      question: {
        title: "競合を決める",
        body: "2 体が同じファイルを変更しました。残す版を選んでください。選ぶまで、何も書き込みません。",
      },
      block: {
        title: "止めてみる",
        body: `「ブロックする」を押し、理由を書いてください。実行は ${PAUSE_SECONDS} 秒だけ待っています（止めなければ、そのまま進みます）。`,
      },
      stopping: {
        title: "停止しています",
        body: "停止通知が、作成 → 送達 → 既読 → 停止と進みます。これから先の呼び出しは、すでに断られます。",
      },
      unblock: {
        title: "再開する",
        body: "エージェントは停止しました。何時間でもこのまま待てます。「ブロック解除」を押すと、続きから再開します。",
      },
      resumed: {
        title: "続きから再開しました",
        body: "済んだステップはくり返さず、残りだけを実行します。",
      },
      done: {
        title: "完了しました",
        body: "結果と、誰が何を承認し、何が呼ばれたかの記録が、このページに残ります。本物のエージェントでも流れは同じです。",
      },
      ended: {
        title: "タスクは終わりました",
        body: "このタスクは完了しませんでした。もう一度、話を選んで始められます。",
      },
    },
    next: "次に: 端末で q を押してデモを終え、次のコマンドを実行してください。",
  },
  en: {
    name: "Tour",
    place: (at, of) => `${at} / ${of}`,
    leave: "Close the tour",
    resume: "Resume the tour",
    show: "Show me",
    toTask: "Open the task",
    again: "Try the other story",
    welcome: "Welcome. It takes three minutes",
    welcomeBody:
      "This is a demo. All agents rehearse, so no model is used and it costs nothing. Nothing is left behind when it ends.",
    choose: "Choose a story. It begins with requesting a task.",
    stories: {
      hr: {
        title: "HR: sum up overtime",
        body: "Reads data, calculates, and shows you the table before the sheet is written.",
        button: "Request this work",
      },
      coding: {
        title: "Coding: three in parallel",
        body: "Three agents work at once, and two change the same file. You decide which version stays.",
        button: "Request this work",
      },
    },
    stages: {
      start: { title: "Request it", body: "Choose a story and request the work." },
      drafting: {
        title: "Drafting",
        body: "Agents are writing a draft. Nothing runs until you approve it.",
      },
      prompt: {
        title: "Approve the prompt",
        body: "This draft says what will be done and how. Read it and press Approve. If you reject it, it is rewritten with your reason.",
      },
      process: {
        title: "Approve the steps",
        body: "Only these tools can be used. Steps that a person checks are marked. Press Approve.",
      },
      watch: {
        title: "Watch",
        body: "The agents are at work. The steps and the feed show what happens as it happens.",
      },
      check: {
        title: "Check it yourself",
        body: "This is just before the write. The table is exactly what will be sent. Press Approve if it is right.",
      },
      question: {
        title: "Settle the conflict",
        body: "Two agents changed the same file. Choose the version to keep. Nothing is written until you do.",
      },
      block: {
        title: "Stop it",
        body: `Press Block and give a reason. The execution waits ${PAUSE_SECONDS} seconds for you; otherwise it just goes on.`,
      },
      stopping: {
        title: "Stopping",
        body: "The stop notification goes from Created to Delivered, Read and Stopped. Further calls are already refused.",
      },
      unblock: {
        title: "Let it go on",
        body: "The agents have stopped. It can wait like this for days. Press Unblock, and it resumes where it was.",
      },
      resumed: {
        title: "It resumed",
        body: "Completed steps are not repeated. Only the rest is carried out.",
      },
      done: {
        title: "Completed",
        body: "The result, who approved what, and every call stay on this page. Real agents follow the same path.",
      },
      ended: {
        title: "The task has ended",
        body: "This task was not completed. Choose a story to begin again.",
      },
    },
    next: "Next: press q in the terminal to end the demo, then run this command.",
  },
});
