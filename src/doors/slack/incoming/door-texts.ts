import type { Locale } from "../../../domain/locale.ts";
import type { RefusalCode } from "../../../domain/refusal.ts";

type Refusals = Partial<Readonly<Record<RefusalCode, string>>>;

const REFUSALS_JA: Refusals = {
  TASK_NOT_RETRYABLE: "このタスクは失敗していないため、再実行できません。",
  TASK_NOT_IN_PROGRESS: "ブロックできるのは進行中のタスクだけです。",
  TRANSITION_NOT_ALLOWED: "今の状態ではこの操作はできません。新しいカードを確認してください。",
  APPROVAL_NOT_YOURS: "あなたの承認はすでに数えられています。ほかの人の承認を待っています。",
  MAX_CONCURRENT_REACHED: "待ち行列がいっぱいです。しばらくしてから、もう一度依頼してください。",
  NOTIFICATION_NOT_DELIVERABLE: "エージェントはすでに終わっているため、届けられません。",
  STORE_FULL: "サーバーのディスクに空きがありません。管理者に連絡してください。",
};
const REFUSALS_EN: Refusals = {
  TASK_NOT_RETRYABLE: "This task has not failed, so it cannot be retried.",
  TASK_NOT_IN_PROGRESS: "Only a task in progress can be blocked.",
  TRANSITION_NOT_ALLOWED: "This is not possible in the current state. Please look at a newer card.",
  APPROVAL_NOT_YOURS: "Your approval is already counted. It waits for other people.",
  MAX_CONCURRENT_REACHED: "The queue is full. Please request again in a while.",
  NOTIFICATION_NOT_DELIVERABLE: "The agent has ended, so it cannot read the message.",
  STORE_FULL: "The disk of the server is full. Please tell an administrator.",
};

const ja = {
  refusals: REFUSALS_JA,
  notInChannel:
    "このチャンネルには投稿できません。`/invite` でアプリを招待するか、アプリに DM を送ってください。",
  voted: "✅ あなたの承認を記録しました。ほかの人の承認を待っています。",
  answered: "✅ 質問に回答しました。",
  passed: "✉️ 作業中のエージェントに伝えました。",
  stopping: "⏹️ エージェントを停止しています。",
  oneOf: (choices: string) => `選択肢のどれかで回答してください: ${choices}`,
  waitsForApproval:
    "このタスクは承認を待っています。カードのボタンで承認するか、変更したい点を理由に書いて却下してください。",
  isDrafting: "このタスクは準備中です。カードができたら、承認または却下で実行方針を変えられます。",
  isBlocked: "このタスクはブロック中です。解除すると再開します。",
  hasFailed: "このタスクは失敗しました。カードのボタンで再実行できます。",
  isStarting: "エージェントがまだ動いていないため、伝えられません。",
  whichQuestion: "質問が複数あります。回答するカードのボタンを押してください。",
  filesOnly: "添付したファイルについて対応してください。",
  files: "添付ファイル (Slack から保存済み):",
  notSaved: (name: string, why: string) => `- ${name} (保存できませんでした: ${why})`,
  tooLarge: "大きすぎます",
  notReadable: "読み取れません",
  requestedBy: (who: string) => `${who} の依頼`,
  commandNeedsId: "`/kuro cancel タスクID` のように、タスクの ID を付けてください。",
  noSuchTask: "その ID のタスクは見つかりません。`/kuro status` で確認できます。",
};

export type DoorTexts = typeof ja;

const en: DoorTexts = {
  refusals: REFUSALS_EN,
  notInChannel:
    "I cannot post in this channel. Invite the app with `/invite`, or send it a direct message.",
  voted: "✅ Your approval is recorded. It waits for other people.",
  answered: "✅ The question is answered.",
  passed: "✉️ Passed to the agent that is at work.",
  stopping: "⏹️ Stopping the agents.",
  oneOf: (choices) => `Please answer with one of the choices: ${choices}`,
  waitsForApproval:
    "This task waits for an approval. Approve it with the button of the card, or reject it and write what to change as the reason.",
  isDrafting:
    "This task is being prepared. Once there is a card, you can change the course by approving or rejecting it.",
  isBlocked: "This task is blocked. It resumes when you unblock it.",
  hasFailed: "This task has failed. You can retry it with the button of the card.",
  isStarting: "No agent is at work yet, so the message cannot be passed on.",
  whichQuestion: "There are several questions. Please use the button of the card you answer.",
  filesOnly: "Please work on the attached files.",
  files: "Attached files (saved from Slack):",
  notSaved: (name, why) => `- ${name} (not saved: ${why})`,
  tooLarge: "too large",
  notReadable: "not readable",
  requestedBy: (who) => `Requested by ${who}`,
  commandNeedsId: "Please add the id of the task: `/kuro cancel TASK_ID`.",
  noSuchTask: "There is no task with this id. `/kuro status` shows yours.",
};

export const DOOR_TEXTS: Readonly<Record<Locale, DoorTexts>> = { ja, en };
