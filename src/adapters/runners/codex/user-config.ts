import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { fieldsOf, isPresent, type Fields } from "../../../base/narrow.ts";

/** What a run has to respect of the user's config.toml. */
export type UserConfig = {
  /** Names of the MCP servers. */
  readonly servers: readonly string[];
  /** Folders that the user trusts or does not trust. */
  readonly decided: readonly string[];
};

/** Folder of the CLI's configuration and sign-in. */
export function codexHome(): string {
  return process.env.CODEX_HOME || join(homedir(), ".codex");
}

export function readUserConfig(home: string): UserConfig {
  const { mcp_servers: servers, projects } = readToml(join(home, "config.toml"));
  return {
    servers: Object.keys(fieldsOf(servers)),
    decided: Object.entries(fieldsOf(projects))
      .filter(([, project]) => isPresent(fieldsOf(project).trust_level))
      .map(([folder]) => folder),
  };
}

/** Most users have none. One with errors is refused by the CLI itself, with its place. */
function readToml(file: string): Fields {
  try {
    return fieldsOf(parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

/** The folder as the CLI sees it, and that of its repository. */
export function projectFolders(workingDirectory: string): readonly [string, ...string[]] {
  const folder = realPath(workingDirectory);
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, ".git"))) return [folder, above];
    if (above === dirname(above)) return [folder];
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
