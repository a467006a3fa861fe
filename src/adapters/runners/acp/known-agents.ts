import { basename } from "node:path";
import type { Access } from "../../../domain/agents/agent.ts";

/** A CLI that we have run over ACP; it asks before it writes, or is configured not to write. */
export type KnownAgent = {
  readonly command: readonly string[];
  readonly variables: readonly string[];
  toolName(tool: string): string;
  env?(access: Access): Readonly<Record<string, string>>;
};

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    command: ["gemini", "--acp"],
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
    toolName: (tool) => `mcp_kuromajutsu_${tool}`,
    env: () => ({
      // Without this the CLI starts a second process, which outlives a signal to the first.
      GEMINI_CLI_NO_RELAUNCH: "true",
      // In a folder that it does not trust the CLI connects to no MCP server.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
  },
  {
    command: ["opencode", "acp"],
    variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "OPENCODE_API_KEY"],
    toolName: (tool) => `kuromajutsu_${tool}`,
    env: (access) => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfig(access)),
    }),
  },
  {
    command: ["claude-agent-acp"],
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"],
    toolName: (tool) => `mcp__kuromajutsu__${tool}`,
  },
  {
    command: ["codex-acp"],
    variables: ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"],
    toolName: (tool) => tool,
  },
];

/**
 * Unless it is configured otherwise, OpenCode writes files without asking. It ends the turn when a
 * person refuses, and goes on after a denial.
 */
function openCodeConfig(access: Access) {
  const rule = access === "read-only" ? "deny" : "allow";
  return {
    autoupdate: false,
    share: "disabled",
    // The last matching rule wins.
    permission: { "*": "allow", edit: rule, bash: rule },
  };
}

export function knownAgent(command: string | undefined): KnownAgent | undefined {
  if (command === undefined) return undefined;
  const name = basename(command);
  return KNOWN_AGENTS.find((each) => each.command[0] === name);
}
