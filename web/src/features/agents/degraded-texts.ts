import { defineTexts } from "../../i18n/texts.ts";

export const DEGRADED = defineTexts({
  ja: {
    mark: "縮退",
    reason: {
      "not-connected":
        "動いていますが、Kuromajutsu に接続していません。結果を報告できず、停止の通知も届きません。",
      "connection-failed":
        "動いていますが、CLI が Kuromajutsu に接続できませんでした。結果を報告できず、停止の通知も届きません。",
    },
    hint: {
      cursor:
        "Cursor には Kuromajutsu の MCP 設定が必要です。`kuromajutsu init` を実行してください。",
      other: "原因は `kuromajutsu doctor` で調べられます。",
    },
  },
  en: {
    mark: "Degraded",
    reason: {
      "not-connected":
        "It runs, but has not connected to Kuromajutsu: it cannot report or be stopped politely.",
      "connection-failed":
        "It runs, but its CLI could not connect to Kuromajutsu: it cannot report or be stopped politely.",
    },
    hint: {
      cursor: "Cursor needs an MCP entry for Kuromajutsu: run `kuromajutsu init`.",
      other: "Run `kuromajutsu doctor` to find out why.",
    },
  },
});
