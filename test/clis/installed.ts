import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Cli } from "../kit/mock-llm/script.ts";

/** The versions that the suite runs and that docs/runners.md names. */
export const PACKAGES: Readonly<Record<Cli, { readonly name: string; readonly version: string }>> =
  {
    claude: { name: "@anthropic-ai/claude-code", version: "2.1.325" },
    codex: { name: "@openai/codex", version: "0.166.0" },
    gemini: { name: "@google/gemini-cli", version: "0.61.0" },
    opencode: { name: "opencode-ai", version: "1.18.33" },
  };

/** Outside the repository and outside /tmp: Gemini ignores settings below a shared folder. */
export const CACHE = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  "kuromajutsu",
);

export const folderOf = (cli: Cli) => join(CACHE, "clis", cli);
export const binOf = (cli: Cli) => join(folderOf(cli), "node_modules", ".bin");

const manifest = z.looseObject({ version: z.string() });

/** undefined: the CLI is not installed in the cache. */
export function installedVersion(cli: Cli): string | undefined {
  const path = join(folderOf(cli), "node_modules", PACKAGES[cli].name, "package.json");
  if (!existsSync(path) || !existsSync(join(binOf(cli), cli))) return undefined;
  return manifest.parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
