import type { Access } from "../agents/agent.ts";
import type { RunnerId } from "../agents/runner.ts";

export type Role = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly healthCheckPrompt: string;
  /** One name for every runner, or a name per runner. */
  readonly model: string | Partial<Record<RunnerId, string>>;
  /** A model the user wrote is never replaced. */
  readonly modelFrom: "default" | "user";
  readonly runner: RunnerId | "auto";
  readonly access: Access;
  /** Ids of role tools (textlint, …), not MCP tools. */
  readonly tools: readonly string[];
  /** Upstream tools it may use: `server`, `server/tool` or `*`. */
  readonly mcpServers: readonly string[];
};

/** A tool a role may use outside MCP; its instructions go into the prompt. */
export type RoleTool = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly promptInstructions: string;
  /** Command and arguments that end with 0 where the tool is installed. */
  readonly check?: readonly string[] | null;
};
