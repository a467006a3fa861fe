import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { SetupScope } from "../../app/ports/setup.ts";
import type { ClientId } from "../../contract/mcp-clients.ts";
import type { Env } from "../config/locate.ts";

export type Folders = {
  readonly project: string;
  readonly home: string;
  readonly env: Env;
  readonly platform: NodeJS.Platform;
};

export type ClientPlace = {
  /** A folder of the person; below it we follow no links and create what is missing. */
  readonly base: string;
  /** The file, as names below the base. */
  readonly names: readonly string[];
  readonly scope: "project" | "global";
};

type Place = Omit<ClientPlace, "scope">;

/** Where a client keeps its MCP servers; undefined: it has no file of this scope. */
export function clientPlace(
  client: ClientId,
  scope: SetupScope,
  folders: Folders,
): ClientPlace | undefined {
  const project = scope === "global" ? undefined : projectPlace(client, folders);
  if (project) return { ...project, scope: "project" };
  return scope === "project" ? undefined : { ...globalPlace(client, folders), scope: "global" };
}

function projectPlace(client: ClientId, { project: base }: Folders): Place | undefined {
  switch (client) {
    case "cursor":
      return { base, names: [".cursor", "mcp.json"] };
    case "claude":
      return { base, names: [".mcp.json"] };
    case "codex":
      // Codex reads a file of the project only after the person has trusted the folder in Codex.
      return undefined;
    case "gemini":
      return { base, names: [".gemini", "settings.json"] };
    case "vscode":
      return { base, names: [".vscode", "mcp.json"] };
    case "opencode":
      return openCodePlace(base);
  }
}

function globalPlace(client: ClientId, folders: Folders): Place {
  const { home, env } = folders;
  switch (client) {
    case "cursor":
      return { base: home, names: [".cursor", "mcp.json"] };
    case "claude":
      return { base: folderIn(env, "CLAUDE_CONFIG_DIR") ?? home, names: [".claude.json"] };
    case "codex": {
      const named = folderIn(env, "CODEX_HOME");
      return named
        ? { base: named, names: ["config.toml"] }
        : { base: home, names: [".codex", "config.toml"] };
    }
    case "gemini":
      return {
        base: folderIn(env, "GEMINI_CLI_HOME") ?? home,
        names: [".gemini", "settings.json"],
      };
    case "vscode":
      return { ...codeFolder(folders), names: [...codeFolder(folders).names, "User", "mcp.json"] };
    case "opencode": {
      const { base, names } = userConfig(folders);
      const { names: file } = openCodePlace(join(base, ...names, "opencode"));
      return { base, names: [...names, "opencode", ...file] };
    }
  }
}

/** OpenCode reads both; a person who has the file with comments keeps one file. */
function openCodePlace(base: string): Place {
  const commented = "opencode.jsonc";
  return { base, names: [existsSync(join(base, commented)) ? commented : "opencode.json"] };
}

/** The folder of VS Code's data of this user. */
export function codeFolder(folders: Folders): Place {
  const { home, platform } = folders;
  if (platform === "darwin")
    return { base: home, names: ["Library", "Application Support", "Code"] };
  const { base, names } = userConfig(folders);
  return { base, names: [...names, "Code"] };
}

export function userConfig({ home, env }: Folders): Place {
  const named = folderIn(env, "XDG_CONFIG_HOME");
  return named ? { base: named, names: [] } : { base: home, names: [".config"] };
}

function folderIn(env: Env, name: string): string | undefined {
  const folder = env[name];
  return folder && isAbsolute(folder) ? folder : undefined;
}
