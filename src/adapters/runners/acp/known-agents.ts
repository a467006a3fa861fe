import { basename } from "node:path";
import type { Runner, RunRequest } from "../../../app/ports/runner.ts";
import { OWN_SERVER } from "../../../domain/agents/progress.ts";
import { READING_TOOLS, WAITING_TOOLS } from "../claude/command.ts";
import { createClaudeRunner } from "../claude/runner.ts";
import { createCodexRunner } from "../codex/runner.ts";
import { createGeminiRunner } from "../gemini/runner.ts";
import { createOpencodeRunner } from "../opencode/runner.ts";

/** A CLI that we have run over ACP; it asks before it writes, or is configured not to write. */
export type KnownAgent = {
  readonly command: readonly string[];
  /** The runner of the same CLI. Over ACP the CLI gets the same variables, settings and files. */
  readonly runner: Runner;
  /** The settings or files of that runner name our MCP server, with its own time limit for a call. */
  readonly namesOwnServer?: true;
  readonly env?: Readonly<Record<string, string>>;
  /** If it differs from that runner. */
  toolName?(tool: string): string;
  mode?(request: RunRequest): string;
  /** `_meta` of the session. */
  sessionMeta?(request: RunRequest): object;
};

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    command: ["gemini", "--acp"],
    runner: createGeminiRunner(),
    namesOwnServer: true,
    // In a folder that it does not trust the CLI connects to no MCP server.
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  },
  {
    command: ["opencode", "acp"],
    runner: createOpencodeRunner(),
    namesOwnServer: true,
    // The settings have an agent of the CLI with this name, and ACP shows agents as modes.
    mode: ({ agentId }) => agentId,
  },
  {
    command: ["claude-agent-acp"],
    runner: createClaudeRunner(),
    sessionMeta: (request) => ({ claudeCode: { options: claudeOptions(request) } }),
  },
  {
    command: ["codex-acp"],
    runner: createCodexRunner(),
    // Otherwise it asks the model for the next prompt of the user, and does not count those tokens.
    env: { CODEX_ACP_PROMPT_SUGGESTIONS: "false" },
    toolName: (tool) => `mcp__${OWN_SERVER}__${tool}`,
    // In its other modes the CLI reviews every MCP call with another model.
    mode: ({ access }) => (access === "read-only" ? "read-only" : "agent-full-access"),
  },
];

/** An allow-list for a reading role. The user's own servers are left out. */
function claudeOptions({ access, purpose }: RunRequest): object {
  const isReading = access === "read-only" || purpose === "health-check";
  return {
    strictMcpConfig: true,
    promptSuggestions: false,
    ...(isReading ? { tools: READING_TOOLS } : { disallowedTools: WAITING_TOOLS }),
  };
}

export function knownAgent(command: string | undefined): KnownAgent | undefined {
  if (command === undefined) return undefined;
  const name = basename(command);
  return KNOWN_AGENTS.find((each) => each.command[0] === name);
}
