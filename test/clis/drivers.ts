import { CLIS, type Cli } from "../kit/mock-llm/script.ts";
import { installedVersion, type Program } from "./installed.ts";

/** The CLIs over the Agent Client Protocol, with our runner `acp`. */
export const ACP_DRIVERS = ["claude-acp", "codex-acp", "gemini-acp", "opencode-acp"] as const;
/** Every way in which a runner of ours drives a CLI: a column of the tables in docs/runner-facts.md. */
export const DRIVERS = [...CLIS, ...ACP_DRIVERS] as const;
export type Driver = (typeof DRIVERS)[number];

type How = {
  /** The CLI that asks the mock LLM. */
  readonly cli: Cli;
  readonly program: Program;
  /** `agent` in the configuration. */
  readonly agent: { readonly runner: string; readonly acpCommand?: readonly string[] };
};

const acp = (cli: Cli, program: Program, ...args: readonly string[]): How => ({
  cli,
  program,
  agent: { runner: "acp", acpCommand: [program, ...args] },
});

const own = (cli: Cli): How => ({ cli, program: cli, agent: { runner: cli } });

export const HOW: Readonly<Record<Driver, How>> = {
  claude: own("claude"),
  codex: own("codex"),
  gemini: own("gemini"),
  opencode: own("opencode"),
  "claude-acp": acp("claude", "claude-agent-acp"),
  "codex-acp": acp("codex", "codex-acp"),
  "gemini-acp": acp("gemini", "gemini", "--acp"),
  "opencode-acp": acp("opencode", "opencode", "acp"),
};

/** undefined: its program is not installed in the cache. */
export const versionOf = (driver: Driver) => installedVersion(HOW[driver].program);
