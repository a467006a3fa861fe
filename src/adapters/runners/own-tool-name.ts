import { OWN_SERVER } from "../../domain/agents/progress.ts";

/** The plain name of a tool of our MCP server; other names stay as the CLI shows them. */
export function ownToolName(shown: string, prefix: string): string {
  const own = `${prefix}${OWN_SERVER}_`;
  return shown.startsWith(own) ? shown.slice(own.length) : shown;
}
