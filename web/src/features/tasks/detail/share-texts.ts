import { defineTexts } from "../../../i18n/texts.ts";

export const SHARE = defineTexts({
  ja: {
    calls: {
      approve: "承認",
      create: "同じ依頼",
      block: "ブロック",
      unblock: "ブロック解除",
      cancel: "中止",
      retry: "再実行",
    },
    reason: "理由",
    copied: "コピーしました",
    copyResult: "結果をコピー",
    download: "ダウンロード",
    markdown: "Markdown",
    json: "JSON",
    csv: "CSV (表)",
  },
  en: {
    calls: {
      approve: "the approval",
      create: "the same request",
      block: "“Block”",
      unblock: "“Unblock”",
      cancel: "“Cancel task”",
      retry: "“Retry”",
    },
    reason: "reason",
    copied: "Copied",
    copyResult: "Copy the result",
    download: "Download",
    markdown: "Markdown",
    json: "JSON",
    csv: "CSV (table)",
  },
});
