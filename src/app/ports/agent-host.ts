import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";

/** Everything that a host needs to start one attempt of an agent. */
export type LaunchOrder = {
  readonly agent: Agent;
  readonly token: string;
  readonly prompt: string;
  /** What is known before its first line of output. */
  readonly progress: AgentProgress;
  /** Vendor keys of the client that asked for the agent; never stored. */
  readonly keys: Readonly<Record<string, string>>;
  /** The variables of its worktree. */
  readonly variables: Readonly<Record<string, string>>;
};

/** Another machine on which agents run. */
export type AgentHost = {
  /** Those that can run there: it has their runner and their directory. */
  accept(agents: readonly Agent[]): Promise<readonly Agent[]>;
  /** Starts an agent. The intent must be committed before. */
  launch(order: LaunchOrder): Promise<void>;
};
