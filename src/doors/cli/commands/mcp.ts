import { defineCommand } from "../define-command.ts";

/** For the help and for a person who types it. `src/main/main.ts` runs it for clients, without the CLI. */
export const mcp = defineCommand({
  name: "mcp",
  summary: {
    en: "the MCP server for your coding agent (stdio); starts a daemon if none runs",
    ja: "コーディングエージェント用の MCP サーバー（標準入出力）。デーモンがなければ起動します",
  },
  details: {
    en: "An MCP client starts it; it takes no options. Name a configuration file with KUROMAJUTSU_CONFIG. In a terminal it prints the entry for your client and exits.",
    ja: "MCP クライアントが起動します。オプションはありません。設定ファイルは KUROMAJUTSU_CONFIG で指定します。端末で実行すると、クライアントの設定に加える内容を表示して終わります。",
  },
  examples: ["kuromajutsu mcp"],
  arguments: {},
  options: {},
  async run(cli) {
    const { explainMcp } = await import("../serve/explain-mcp.ts");
    const { snippet, claudeCommand } = await cli.clientSetup();
    const signIn = (await cli.daemon().ask("status"))?.signIn === true;
    const explained = { snippet, claudeCommand, command: cli.command, signIn };
    process.stdout.write(explainMcp(explained, await cli.locale()));
    return 0;
  },
});
