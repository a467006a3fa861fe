import { SAMPLE_TEXTS } from "../../../../../src/contract/sample-task.ts";
import { defineTexts } from "../../../i18n/texts.ts";

export const TEXTS = defineTexts({
  ja: {
    tryNote:
      "小さなタスクを 1 つ依頼します。実行方針と実行ステップの下書きを、あなたが承認してから動き始めます。動いている間は「ブロックする」でいつでも止められます。",
    tryRehearsal: "リハーサル: モデルを使わないため、コストはかかりません。実行は 1 分ほどです。",
    tryReal: (runner: string) => `${runner} のモデルを使うため、コストがかかることがあります。`,
    tryText: SAMPLE_TEXTS.ja.request,
    fileText: SAMPLE_TEXTS.ja.file,
    tryAgain: "お試しタスクを実行",
    tryButton: "試しに唱える（お試しタスクを 1 つ実行）",
    trying: "依頼しています…",
    confirmTitle: "タスクを依頼しますか?",
    confirm: "依頼する",
    flow: "このあと起きること",
    flowSteps: [
      { step: "依頼", isYours: false },
      { step: "実行方針を承認", isYours: true },
      { step: "実行ステップを承認", isYours: true },
      { step: "実行を見守る", isYours: false },
      { step: "ブロックしてみる", isYours: true },
    ],
    yours: "あなたの番",
    what: "依頼する内容",
  },
  en: {
    tryNote:
      "Requests one small task. Its prompt and steps are drafted, and nothing runs until you approve them. You can stop it at any time with “Block”.",
    tryRehearsal: "A rehearsal: no model is used, so it costs nothing. It takes about a minute.",
    tryReal: (runner) => `Uses a model of ${runner}, which may cost money.`,
    tryText: SAMPLE_TEXTS.en.request,
    fileText: SAMPLE_TEXTS.en.file,
    tryAgain: "Run a sample task",
    tryButton: "Run a sample task",
    trying: "Requesting…",
    confirmTitle: "Request this task?",
    confirm: "Request",
    flow: "What happens next",
    flowSteps: [
      { step: "Request", isYours: false },
      { step: "Approve the prompt", isYours: true },
      { step: "Approve the steps", isYours: true },
      { step: "Watch it run", isYours: false },
      { step: "Try blocking it", isYours: true },
    ],
    yours: "your turn",
    what: "The request",
  },
});
