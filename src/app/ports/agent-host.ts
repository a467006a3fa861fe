import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ModelList } from "../../domain/health/host-models.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { HostProblems } from "./host-problems.ts";

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
  /** What people call it. */
  readonly name: string;
  /** Those that can run there: it has their runner, and their directory if they have no worktree. */
  accept(agents: readonly Agent[]): Promise<readonly Agent[]>;
  /** Those that its CLI lists. */
  models(runner: RunnerId): ModelList;
  /** Rejects if it does not answer soon. */
  hasDirectory(path: string): Promise<boolean>;
  /** Agents whose commit could not be fetched there; it is not asked for them again for a while. */
  readonly unfetched: Unfetched;
  /** CLIs that are signed out there, or were removed. */
  readonly problems: HostProblems;
  /** An agent went back to the queue: this server and other workers may take it. */
  onHandedBack(): void;
  /** Some of its worktrees may not be needed any more. */
  sweepWorktrees(): void;
  /** Whether it still has a process of the agent. */
  isRunning(agentId: AgentId): Promise<boolean>;
  /** Starts an agent. The intent must be committed before. */
  launch(order: LaunchOrder): Promise<void>;
};

export type Unfetched = {
  has(agentId: AgentId): boolean;
  add(agentId: AgentId): void;
};
