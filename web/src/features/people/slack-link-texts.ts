import { defineTexts } from "../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    link: "Slack と連携",
    note: "Slack で次のコマンドを実行すると、あなたの Slack アカウントがこの利用者になります。",
    expires: "10 分以内に 1 回だけ使えます。",
    again: "新しいコードを発行",
  },
  en: {
    link: "Link Slack",
    note: "Run this command in Slack. Your Slack account then acts as this person.",
    expires: "It works once, within 10 minutes.",
    again: "Create a new code",
  },
});
