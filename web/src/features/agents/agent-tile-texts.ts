import { defineTexts } from "../../i18n/texts.ts";

export const AGENT_TILE = defineTexts({
  ja: {
    elapsed: "経過時間",
    tools: "ツール呼び出し",
    currentTool: "使用中のツール",
    tokens: "トークン",
    cost: "費用",
    stage: (number: number) => `ステージ ${number}`,
    nothingYet: "まだ何も言っていません。",
    waiting: "順番を待っています。",
    waitingStage: "前のステージの完了を待っています。",
    waitingKey: "クライアントのキーを待っています。",
  },
  en: {
    elapsed: "Elapsed",
    tools: "Tool calls",
    currentTool: "Current tool",
    tokens: "Tokens",
    cost: "Cost",
    stage: (number) => `Stage ${number}`,
    nothingYet: "It has said nothing yet.",
    waiting: "Waits for its turn.",
    waitingStage: "Waits for the stage before.",
    waitingKey: "Waits for a key of its client.",
  },
});
