import type { Locale } from "../../../../domain/locale.ts";

const ja = {
  close: "キャンセル",
  closeOnly: "閉じる",
  rejectDraft: {
    title: "却下理由",
    submit: "送信して再生成",
    intro: "却下理由を入力してください。この内容を反映して新しいバージョンを生成します。",
    label: "却下理由",
    placeholder: "例: ステップ 3 の前にデータの検証を追加してください",
  },
  rejectCall: {
    title: "呼び出しの却下",
    submit: "却下する",
    intro: (tool: string) => `${tool} の呼び出しを却下します。`,
    label: "理由",
    placeholder: "例: 宛先が違います",
    after: "却下したあと",
    fail: "実行を失敗にする",
    skip: "このステップを飛ばして続ける",
  },
  rejectMerge: {
    title: "取り込みの却下",
    submit: "却下する",
    intro: (target: string) => `${target} への取り込みを却下します。変更は残ります。`,
    label: "理由",
    placeholder: "例: テストを加えてください",
  },
  answer: { title: "質問への回答", submit: "回答する", label: "回答" },
  block: {
    title: "タスクのブロック",
    submit: "ブロックする",
    intro:
      "エージェントに通知し、作業を中断させます。あとで解除すると、済んだステップの続きから再開します。",
    label: "理由",
    placeholder: "例: シートの列構成が変わるため",
  },
  cancel: {
    title: "タスクの中止",
    submit: "中止する",
    intro: "中止すると元に戻せません。新しいタスクとして再依頼が必要です。",
    label: "理由",
    placeholder: "例: 依頼が不要になったため",
  },
  decided: {
    title: "決定済みです",
    approved: "ほかの人が先に承認しました。あなたの操作では何も変わっていません。",
    rejected: "ほかの人が先に却下しました。あなたの操作では何も変わっていません。",
    approvedBy: "承認者",
    rejectedBy: "却下者",
    at: "時刻",
    version: "バージョン",
    taskId: "タスクID",
  },
};

type ModalTexts = typeof ja;

const en: ModalTexts = {
  close: "Cancel",
  closeOnly: "Close",
  rejectDraft: {
    title: "Reason for rejection",
    submit: "Send and regenerate",
    intro: "Please give a reason. The new version will follow it.",
    label: "Reason for rejection",
    placeholder: "For example: validate the data before step 3",
  },
  rejectCall: {
    title: "Reject the call",
    submit: "Reject",
    intro: (tool) => `This rejects the call of ${tool}.`,
    label: "Reason",
    placeholder: "For example: the recipient is wrong",
    after: "After the rejection",
    fail: "Fail the execution",
    skip: "Skip this step and continue",
  },
  rejectMerge: {
    title: "Reject the merge",
    submit: "Reject",
    intro: (target) => `This rejects the merge into ${target}. The change stays.`,
    label: "Reason",
    placeholder: "For example: please add tests",
  },
  answer: { title: "Answer the question", submit: "Answer", label: "Answer" },
  block: {
    title: "Block the task",
    submit: "Block",
    intro:
      "Its agents get a notification to stop. When you unblock it, it resumes after the completed steps.",
    label: "Reason",
    placeholder: "For example: the columns of the sheet are about to change",
  },
  cancel: {
    title: "Stop the task",
    submit: "Stop",
    intro: "This cannot be undone. If you need it after all, request a new task.",
    label: "Reason",
    placeholder: "For example: the request is no longer needed",
  },
  decided: {
    title: "Already decided",
    approved: "Another person approved it first. Your decision changed nothing.",
    rejected: "Another person rejected it first. Your decision changed nothing.",
    approvedBy: "Approved by",
    rejectedBy: "Rejected by",
    at: "Time",
    version: "Version",
    taskId: "Task ID",
  },
};

export const MODAL_TEXTS: Readonly<Record<Locale, ModalTexts>> = { ja, en };
