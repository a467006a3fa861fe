import { defineTexts } from "../../i18n/texts.ts";

export const RESULT = defineTexts({
  ja: {
    none: "まだ結果は報告されていません。",
    summary: "サマリー",
    report: "報告",
    warnings: "警告",
    error: "エラー",
    failure: {
      "signed-out": "CLI にサインインしていません",
      quota: "プランまたはクレジットの上限に達しました",
      "rate-limit": "短時間のリクエストが多すぎました",
      overloaded: "モデルの提供元が混雑しています",
      "session-lost": "続けるはずの会話が見つかりません",
      "directory-not-trusted": "作業ディレクトリが CLI に信頼されていません",
      "model-unknown": "CLI にこのモデルはありません",
    },
    resetsAt: (time: string) => `${time} に解除`,
    status: { success: "成功", failure: "失敗", timeout: "時間切れ", cancelled: "停止" },
    observed: "エージェント自身の報告ではなく、デーモンが観測した結果です。",
  },
  en: {
    none: "No result has been reported yet.",
    summary: "Summary",
    report: "Report",
    warnings: "Warnings",
    error: "Error",
    failure: {
      "signed-out": "The CLI is not signed in",
      quota: "The plan or credit limit is reached",
      "rate-limit": "Too many requests in a short time",
      overloaded: "The model provider is overloaded",
      "session-lost": "The conversation to continue was not found",
      "directory-not-trusted": "The CLI does not trust the working directory",
      "model-unknown": "The CLI does not have this model",
    },
    resetsAt: (time) => `resets at ${time}`,
    status: {
      success: "Success",
      failure: "Failure",
      timeout: "Timed out",
      cancelled: "Stopped",
    },
    observed: "Observed by the daemon, not reported by the agent itself.",
  },
});
