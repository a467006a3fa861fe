import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Folder of the CLI's configuration and sign-in. */
export function codexHome(): string {
  return process.env.CODEX_HOME || join(homedir(), ".codex");
}

const SERVER_TABLE = /^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*"?([\w-]+)"?[ \t]*[\].]/gm;

/**
 * MCP servers of the user's config.toml. The CLI merges what we pass into it and cannot drop a
 * server, so each must be named to be disabled. A name that needs quotes cannot be passed, and a
 * server in an inline table is not found; both stay enabled.
 */
export function serversOfUser(home: string): readonly string[] {
  return [...new Set([...readConfig(home).matchAll(SERVER_TABLE)].map(([, name = ""]) => name))];
}

function readConfig(home: string): string {
  try {
    return readFileSync(join(home, "config.toml"), "utf8");
  } catch {
    // Most users have none.
    return "";
  }
}
