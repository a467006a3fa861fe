import { defineTexts } from "../../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    tryNote:
      "小さなタスクを 1 つ依頼します。方針と手順の下書きを、あなたが承認してから動き始めます。動いている間は「ブロックする」でいつでも止められます。",
    tryRehearsal: "リハーサル: モデルには尋ねず、費用もかかりません。実行は 1 分ほどです。",
    tryReal: (runner: string) => `${runner} のモデルを使うため、費用がかかることがあります。`,
    tryText: "README を読んで、分かりにくいところを 3 つ挙げて",
    tryButton: "試しに唱える",
    trying: "依頼しています…",
    confirmTitle: "タスクを依頼しますか?",
    confirm: "依頼する",
    flow: "このあと起きること",
    flowSteps: [
      { step: "依頼", isYours: false },
      { step: "方針を承認", isYours: true },
      { step: "手順を承認", isYours: true },
      { step: "実行を見守る", isYours: false },
      { step: "止めてみる", isYours: true },
    ],
    yours: "あなたが行う",
    what: "依頼する内容",
  },
  en: {
    tryNote:
      "Asks for one small task. Its policy and its steps are drafted, and nothing is done before you approve them. While it runs you can stop it at any time with “Block”.",
    tryRehearsal:
      "A rehearsal: no model is asked, and it costs nothing. It runs for about a minute.",
    tryReal: (runner) => `It uses a model of ${runner}, which may cost money.`,
    tryText: "Find three unclear points in the README",
    tryButton: "Cast a first spell",
    trying: "Asking…",
    confirmTitle: "Ask for this task?",
    confirm: "Ask for it",
    flow: "What happens then",
    flowSteps: [
      { step: "Request", isYours: false },
      { step: "Approve the policy", isYours: true },
      { step: "Approve the steps", isYours: true },
      { step: "Watch it run", isYours: false },
      { step: "Try to stop it", isYours: true },
    ],
    yours: "up to you",
    what: "The request",
  },
});
