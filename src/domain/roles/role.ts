import type { Access } from "../agents/agent.ts";
import type { RunnerChoice, RunnerId } from "../agents/runner.ts";
import type { Isolation } from "../workspaces/workspace.ts";

export type Role = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly healthCheckPrompt: string;
  /** One name, or a name per runner. With a fallback list one name belongs to its first runner. */
  readonly model: string | Partial<Record<RunnerId, string>>;
  /** A model from the configuration is never replaced by a default. */
  readonly modelFrom: "default" | "user";
  readonly runner: RunnerChoice;
  readonly access: Access;
  /** Whether its agents work in worktrees of their own. */
  readonly isolation: Isolation;
  /** Ids of role tools (textlint, …), not of MCP tools. */
  readonly tools: readonly string[];
  /** Upstream tools that the role may use: `server`, `server/tool` or `*`. */
  readonly mcpServers: readonly string[];
  /** What a host must have to run its agents; absent: nothing. */
  readonly labels?: readonly string[];
  /**
   * What happens to an agent whose host is gone: it may have done part of its work, and may still
   * run. Absent: `report`, so it is lost.
   */
  readonly onLost?: OnLost;
};

export const ON_LOST = ["report", "requeue"] as const;
export type OnLost = (typeof ON_LOST)[number];

/** A command a role may use besides MCP; its instructions go into the prompt. */
export type RoleTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly promptInstructions: string;
  /** A command with arguments that exits with 0 if the tool is installed. */
  readonly check?: readonly string[] | null;
};
