import type { Locale } from "../../../../domain/locale.ts";

const ja = {
  greeting: (name: string) => `${name} です。業務を依頼してください。`,
  prompts: [
    { title: "勤怠集計", message: "今月の勤怠をまとめて" },
    { title: "残業確認", message: "先月の残業時間を確認して" },
    { title: "従業員一覧", message: "従業員一覧を取得して" },
  ],
  help: [
    "*使い方*",
    "• 依頼する: チャンネルでメンションするか、DM を送るか、`/kuro 依頼の内容`",
    "• `/kuro status` — 進行中のタスク",
    "• `/kuro approvals` — あなたの承認待ち",
    "• `/kuro cancel タスクID` — タスクを中止",
    "• `/kuro link コード` — Slack のアカウントを利用者と結び付ける",
    "• `/kuro help` — この説明",
  ].join("\n"),
  status: "*進行中のタスク*",
  noTasks: "進行中のタスクはありません。",
  approvals: "*あなたの承認待ち*",
  noApprovals: "判断を待っているものはありません。",
  accepted: "受け付けました。進み具合はスレッドのカードに表示します。",
  cancelled: (title: string) => `⏹️ ${title} を中止しています。`,
  unknown: (word: string) => `${word} というコマンドはありません。`,
  linked: (name: string) => `✅ Slack のアカウントを ${name} と結び付けました。`,
  linkHelp:
    "ダッシュボードの設定で 1 回限りのコードを発行し、`/kuro link コード` を実行してください。",
  linkFailed: {
    wrong: "❌ コードが正しくありません。ダッシュボードのコードをもう一度確認してください。",
    expired:
      "❌ コードの期限が切れているか、すでに使われています。新しいコードを発行してください。",
    too_many: "❌ 失敗が続いたため、しばらく受け付けません。数分後にもう一度お試しください。",
  },
  refusals: {
    notLinked:
      "🔒 あなたの Slack アカウントは、Kuromajutsu の利用者と結び付いていません。ダッシュボードの設定でコードを発行し、`/kuro link コード` を実行してください。",
    guest: "🔒 ゲストはこの操作をできません。ワークスペースのメンバーに依頼してください。",
    otherWorkspace:
      "🔒 ほかのワークスペースの方はこの操作をできません。このワークスペースのメンバーに依頼してください。",
    bot: "🔒 ボットはこの操作をできません。",
    viewer: "🔒 あなたの権限は閲覧のみです。管理者に依頼してください。",
    notApprover: "🔒 この承認を決定する権限がありません。",
    askThem: (people: string) => `決定できる人: ${people}`,
    approvedBefore: (who: string, when: string) => `${who} が先に承認しています(${when})。`,
    rejectedBefore: (who: string, when: string) => `${who} が先に却下しています(${when})。`,
    nothingChanged: "あなたの操作では何も変わっていません。",
    stale: "このカードは古いバージョンです。新しいバージョンのカードで決定してください。",
    expired: "期限が過ぎています。タスクを再実行すると、もう一度確認できます。",
    closed: "この承認は取り消されています。決定の必要はありません。",
    clickAgain: "時間切れでした。もう一度ボタンを押してください。",
    oldButton: "このボタンはもう使えません。新しいカードかダッシュボードから操作してください。",
    taskOver: "このタスクはすでに終わっています。",
    tooMany: "依頼が続いています。少し待ってから、もう一度依頼してください。",
    noReason: "理由を入力してください。",
    noAnswer: "回答を入力してください。",
    failed: "処理できませんでした。もう一度お試しください。続く場合は、管理者に連絡してください。",
  },
};

type AnswerTexts = typeof ja;

const en: AnswerTexts = {
  greeting: (name) => `I am ${name}. What can I do for you?`,
  prompts: [
    { title: "Attendance", message: "Summarize this month's attendance" },
    { title: "Overtime", message: "Check last month's overtime" },
    { title: "Employees", message: "Get the list of employees" },
  ],
  help: [
    "*How to use*",
    "• Request a task: mention the app in a channel, send it a DM, or `/kuro your request`",
    "• `/kuro status` — tasks in progress",
    "• `/kuro approvals` — what waits for your decision",
    "• `/kuro cancel TASK_ID` — stop a task",
    "• `/kuro link CODE` — link your Slack account to a person",
    "• `/kuro help` — this text",
  ].join("\n"),
  status: "*Tasks in progress*",
  noTasks: "No task is in progress.",
  approvals: "*Waiting for your decision*",
  noApprovals: "Nothing is waiting for a decision.",
  accepted: "Received. The cards in the thread show the progress.",
  cancelled: (title) => `⏹️ Stopping ${title}.`,
  unknown: (word) => `There is no command ${word}.`,
  linked: (name) => `✅ Your Slack account is linked to ${name}.`,
  linkHelp: "Create a one-time code in the settings of the dashboard, then run `/kuro link CODE`.",
  linkFailed: {
    wrong: "❌ The code is wrong. Please check the code in the dashboard.",
    expired: "❌ The code has expired or was used before. Please create a new one.",
    too_many: "❌ Too many failed attempts. Please try again in a few minutes.",
  },
  refusals: {
    notLinked:
      "🔒 Your Slack account is not linked to a person of Kuromajutsu. Create a code in the settings of the dashboard, then run `/kuro link CODE`.",
    guest: "🔒 Guests cannot do this. Please ask a member of the workspace.",
    otherWorkspace:
      "🔒 People of other workspaces cannot do this. Please ask a member of this workspace.",
    bot: "🔒 Bots cannot do this.",
    viewer: "🔒 You may only watch. Please ask an administrator.",
    notApprover: "🔒 You may not decide this approval.",
    askThem: (people) => `May decide: ${people}`,
    approvedBefore: (who, when) => `${who} approved it first (${when}).`,
    rejectedBefore: (who, when) => `${who} rejected it first (${when}).`,
    nothingChanged: "Your decision changed nothing.",
    stale: "This card shows an old version. Please decide on the card of the new version.",
    expired: "The deadline has passed. Retry the task to be asked again.",
    closed: "This approval was withdrawn. No decision is needed.",
    clickAgain: "That took too long. Please click the button again.",
    oldButton: "This button is no longer valid. Please use a newer card or the dashboard.",
    taskOver: "This task has already ended.",
    tooMany: "You have made many requests. Please wait a moment, then request again.",
    noReason: "Please enter a reason.",
    noAnswer: "Please enter an answer.",
    failed: "This could not be done. Please try again. If it fails again, tell an administrator.",
  },
};

export const ANSWER_TEXTS: Readonly<Record<Locale, AnswerTexts>> = { ja, en };
