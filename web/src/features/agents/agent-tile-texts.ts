import { defineTexts } from "../../i18n/texts.ts";

export const AGENT_TILE = defineTexts({
  ja: {
    elapsed: "経過時間",
    tools: "ツール呼び出し",
    currentTool: "使用中のツール",
    tokens: "トークン",
    cost: "コスト",
    stage: (number: number) => `ステージ ${number}`,
    nothingYet: "まだ出力はありません。",
    waiting: "順番を待っています。",
    waitingStage: "前のステージの完了を待っています。",
    waitingKey: "クライアントからのキーを待っています。",
  },
  en: {
    elapsed: "Elapsed",
    tools: "Tool calls",
    currentTool: "Current tool",
    tokens: "Tokens",
    cost: "Cost",
    stage: (number) => `Stage ${number}`,
    nothingYet: "No output yet.",
    waiting: "Waiting for its turn.",
    waitingStage: "Waiting for the previous stage.",
    waitingKey: "Waiting for a key from its client.",
  },
});
