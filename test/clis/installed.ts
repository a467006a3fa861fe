import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { CLIS } from "../kit/mock-llm/script.ts";

/** The CLIs, and the programs that speak ACP for those that do not speak it themselves. */
export const PROGRAMS = [...CLIS, "claude-agent-acp", "codex-acp"] as const;
export type Program = (typeof PROGRAMS)[number];

type Package = { readonly name: string; readonly version: string };

/** The versions that the suite runs and that docs/runner-facts.md names. */
export const PACKAGES: Readonly<Record<Program, Package>> = {
  claude: { name: "@anthropic-ai/claude-code", version: "2.1.325" },
  codex: { name: "@openai/codex", version: "0.166.0" },
  gemini: { name: "@google/gemini-cli", version: "0.61.0" },
  opencode: { name: "opencode-ai", version: "1.18.33" },
  "claude-agent-acp": { name: "@agentclientprotocol/claude-agent-acp", version: "0.99.1" },
  "codex-acp": { name: "@agentclientprotocol/codex-acp", version: "2.6.0" },
};

/** Outside the repository and outside /tmp: Gemini ignores settings below a shared folder. */
export const CACHE = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  "kuromajutsu",
);

export const folderOf = (program: Program) => join(CACHE, "clis", program);
export const binOf = (program: Program) => join(folderOf(program), "node_modules", ".bin");

const manifest = z.looseObject({ version: z.string() });

/** undefined: the program is not installed in the cache. */
export function installedVersion(program: Program): string | undefined {
  const path = join(folderOf(program), "node_modules", PACKAGES[program].name, "package.json");
  if (!existsSync(path) || !existsSync(join(binOf(program), program))) return undefined;
  return manifest.parse(JSON.parse(readFileSync(path, "utf8"))).version;
}
