import { defineCommand } from "../define-command.ts";

/** Described here for the help. `src/main/main.ts` runs it without loading the CLI. */
export const mcp = defineCommand({
  name: "mcp",
  summary: {
    en: "the MCP server for your coding agent (stdio); starts a daemon if none runs",
    ja: "コーディングエージェント用の MCP サーバー（標準入出力）。デーモンがなければ起動します",
  },
  details: {
    en: "An MCP client starts it; it takes no options. Name a configuration file with KUROMAJUTSU_CONFIG.",
    ja: "MCP クライアントが起動します。オプションはありません。設定ファイルは KUROMAJUTSU_CONFIG で指定します。",
  },
  examples: ["kuromajutsu mcp"],
  arguments: {},
  options: {},
  run: async () => {
    throw new Error("`kuromajutsu mcp` takes nothing else.");
  },
});
