import { clientEntry } from "../../adapters/clients/client-entry.ts";
import { withValue } from "../../adapters/clients/merged-text.ts";
import { clientCommand } from "../entries.ts";

/** The configuration that a person adds to an MCP client: Cursor's, which others read as well. */
export function mcpSnippet(): string {
  const { keys, entry } = clientEntry("cursor", clientCommand());
  return JSON.stringify(withValue({}, keys, entry), null, 2);
}

/** The command that adds our MCP server to Claude Code. */
export function claudeCommand(): string {
  const words = clientCommand().map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return `claude mcp add kuromajutsu -- ${words.join(" ")}`;
}
