import type { DaemonStatus } from "../contract/hello.ts";
import { mcpSnippet } from "./mcp-snippet.ts";

/** What a person sees who started the daemon by hand. */
export function welcome({ url, configPath, dataDir }: DaemonStatus): string {
  return `
  黒魔術 Kuromajutsu
  ${url ?? ""}

  MCP クライアントの設定に加えてください / add this to your MCP client (.cursor/mcp.json, …):

${mcpSnippet().replaceAll(/^/gm, "    ")}

  設定 / configuration  ${configPath ?? "built-in defaults (no kuromajutsu.config.yaml found)"}
  データ / data          ${dataDir}
  終了 / stop            Ctrl-C

`;
}
