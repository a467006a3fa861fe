import { defineTexts } from "../../../i18n/texts.ts";

export const STOP = defineTexts({
  ja: {
    blockTitle: "ブロックした場合",
    blockSteps: [
      "次にツールを使ったときに、エージェントへ伝わります",
      "エージェントが通知を読み、作業を止めます",
      "「止めました」と報告して終わります",
    ],
    blockLate: "応答しないエージェントは、期限が過ぎると終了させます。",
    deliveryTitle: "停止の通知",
    deliveryCancel: "中止の通知",
    delivery: {
      created: "作成",
      announced: "送達",
      read: "既読",
      reported: "停止",
      ended: "終了",
    },
    deliveryWaiting:
      "エージェントが次にツールを呼び出したときに伝わります。応答がなければ、期限が過ぎると終了させます。",
    deliveryGoing: "停止させています",
    deliveryOver: "停止完了",
    deliveryNone: "止めるエージェントはいませんでした。",
    stopEnd: {
      reported: "停止しました",
      reportedUnread: "通知を読む前に結果を報告しました",
      ended: "停止を報告せずに終了しました",
      endedUnread: "読まれる前に終了しました",
      replaced: "新しい停止の通知に置き換えられました",
      unknown: "停止しました",
    },
  },
  en: {
    blockTitle: "What blocking does",
    blockSteps: [
      "Agents are told the next time they use a tool",
      "They read the notification and stop working",
      "They report that they have stopped, and end",
    ],
    blockLate: "An agent that does not respond is ended after the deadline.",
    deliveryTitle: "Stop notification",
    deliveryCancel: "Cancellation notification",
    delivery: {
      created: "Created",
      announced: "Delivered",
      read: "Read",
      reported: "Stopped",
      ended: "Ended",
    },
    deliveryWaiting:
      "The agent is notified with its next tool call. If it does not respond, it is ended after the deadline.",
    deliveryGoing: "Stopping",
    deliveryOver: "Stopped",
    deliveryNone: "There was no agent to stop.",
    stopEnd: {
      reported: "The agent has stopped",
      reportedUnread: "Reported its result before reading the notification",
      ended: "Ended without reporting that it stopped",
      endedUnread: "Ended before reading the notification",
      replaced: "Replaced by a newer stop notification",
      unknown: "The agent has stopped",
    },
  },
});
