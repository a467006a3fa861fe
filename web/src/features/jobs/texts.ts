import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    title: "あきらめたジョブ",
    note: "コミットの後に必ず行う処理のうち、失敗が続いて止まっているものです。エラーの原因を直してから再試行してください。",
    count: (count: string) => `${count} 件`,
    more: (count: string) => `ほかに古いものが ${count} 件あります。「すべて再試行」に含まれます。`,
    givenUp: (tries: string) => `${tries} 回失敗`,
    noError: "エラーの内容は記録されていません。",
    retry: "再試行",
    retryOf: (job: string, subject: string) => `${job}（${subject}）を再試行`,
    retryAll: "すべて再試行",
    retried: (count: string) => `ジョブ ${count} 件をキューに戻しました`,
    othersWereFaster: "ほかの人がすでに再試行しています",
    retriedDetail: "数秒以内にサーバーが試します。また失敗が続くと、ここに表示されます。",
  },
  en: {
    title: "Jobs that were given up",
    note: "Work that must follow from a commit, and that failed too often. Correct what the error names, then try again.",
    count: (count) => count,
    more: (count) => `${count} older ones are not shown. “Try all again” includes them.`,
    givenUp: (tries) => (tries === "1" ? "failed once" : `failed ${tries} times`),
    noError: "The error is not known.",
    retry: "Try again",
    retryOf: (job, subject) => `Try again: ${job} (${subject})`,
    retryAll: "Try all again",
    retried: (count) =>
      count === "1" ? "1 job is back in the queue" : `${count} jobs are back in the queue`,
    othersWereFaster: "Another person has already tried them again",
    retriedDetail:
      "A server tries within a few seconds. If it keeps failing, it is shown here again.",
  },
});
