import type { RunnerId } from "../../domain/agents/runner.ts";
import type { TaskStatus } from "../../domain/tasks/task.ts";
import type { DeadJobs } from "./jobs.ts";
import type { ConnectionCounts, UnsettledCount } from "./store.ts";

/** What monitors read of a daemon: only numbers, never an id, a name or a text of people. */
export type Metrics = {
  readonly version: string;
  /** null: the database does not answer. */
  readonly stored: StoredMetrics | null;
  readonly runners: readonly RunnerId[];
  /** How many agents may be alive at once. */
  readonly slots: { readonly worker: number; readonly orchestrator: number };
  /** Calls of tools that this server handles. */
  readonly calls: { readonly inFlight: number; readonly held: number };
  /** Dashboards that are connected to this server. */
  readonly dashboards: number;
  readonly isLeader: boolean;
  /** null: the store has no pool of connections. */
  readonly connections: ConnectionCounts | null;
};

/** Equal on all servers that share the database. */
export type StoredMetrics = {
  readonly agents: readonly UnsettledCount[];
  /** How long the oldest agent waits that only needs a slot; 0: none waits. */
  readonly queueAgeMs: number;
  readonly tasks: Readonly<Record<TaskStatus, number>>;
  readonly approvals: number;
  /** 0: no approval is pending. */
  readonly approvalAgeMs: number;
  readonly servers: number;
  readonly deadJobs: DeadJobs;
};

/** Writes metrics in the format of a monitoring system. */
export type MetricsPage = {
  readonly contentType: string;
  render(metrics: Metrics): Promise<string>;
};
