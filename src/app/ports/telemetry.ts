import type { Attributes, Span } from "../../domain/telemetry/span.ts";

/** Durations are in seconds, as the semantic conventions ask. */
export const METRICS = {
  tokenUsage: "gen_ai.client.token.usage",
  agentDuration: "gen_ai.client.operation.duration",
  toolDuration: "mcp.server.operation.duration",
  upstreamDuration: "mcp.client.operation.duration",
  taskDuration: "kuromajutsu.task.duration",
  approvalWait: "kuromajutsu.approval.wait.duration",
} as const;
export type Metric = keyof typeof METRICS;

/** Figures of the moment, read when metrics are exported. */
export type Gauges = {
  readonly agentsRunning: number;
  readonly agentsQueued: number;
  readonly approvalsPending: number;
};

/** Where traces and metrics go. Nothing here waits or fails: what cannot be delivered is dropped. */
export type Telemetry = {
  span(span: Span): void;
  measure(metric: Metric, value: number, attributes: Attributes): void;
  gauges(read: () => Promise<Gauges>): void;
  /** Delivers what is left, for at most half a second. */
  close(): Promise<void>;
};
