import { RUNNER_IDS, type FallbackRunner, type RunnerChoice } from "../../domain/agents/runner.ts";

/**
 * Choices and defaults of `kuromajutsu.config.yaml`. Without zod, so that a daemon without a file
 * starts without building the schema.
 */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export const WORKSPACE_BASES = ["head", "working-tree"] as const;

export const ACCESS_MODES = ["read-only", "read-write"] as const;
export const RUNNER_CHOICES = ["auto", ...RUNNER_IDS] as const;
export const FALLBACK_RUNNERS: readonly FallbackRunner[] = RUNNER_IDS.filter(
  (id) => id !== "rehearsal",
);

/** A new object each time, so that callers cannot change each other's defaults. */
export const defaultConfig = () => ({
  server: { bind: "127.0.0.1", trustedProxies: [], labels: [] },
  dashboard: { port: 9696, hosts: [], origins: [] },
  agent: {
    runner: "auto" as const satisfies RunnerChoice,
    rehearseWithoutCli: true,
    maxConcurrent: 10,
    maxQueued: 1_000,
    maxOrchestrators: 4,
    limits: {},
    hardKillAfter_ms: 5_000,
    lingerAfterEnd_ms: 30_000,
    maxRetries: 5,
    maxRetryTime_ms: 600_000,
    maxEvents: 1_000_000,
    maxToolCalls: 5_000,
    connectWithin_ms: 60_000,
    maxSpool_bytes: 1_073_741_824,
    acpCommand: [],
    env: [],
  },
  log: { level: "info" as const, format: "text" as const, maxSize_mb: 10, keepFiles: 5 },
  healthCheck: { enabled: true, cacheTtl_ms: 600_000, timeout_ms: 60_000, concurrency: 2 },
  history: { keep_days: 90 },
  store: { connections: 10, lease_ms: 10_000 },
  prices: { currency: "USD", models: {} },
  tasks: {
    maxRegenerations: 5,
    holdFor_ms: 180_000,
    unplannedTools: "ask" as const,
    approval: "anyone" as const,
    approvals: {},
    approvalExpiry_ms: 0,
    remindAfter_ms: 86_400_000,
    types: [],
  },
  workspace: {
    isolation: "auto" as const,
    base: "head" as const,
    copy: [],
    setupTimeout_ms: 600_000,
    checkTimeout_ms: 1_800_000,
    merge: { mode: "squash" as const },
    maxTotal_mb: 20_480,
    maxFile_mb: 10,
    maxNewFiles: 2_000,
    keepDecided_hours: 1,
    keepOpen_days: 14,
    keepRefs_days: 90,
    ports: { from: 20_000, to: 20_999, perAgent: 10 },
  },
  interrupt: { hardStopAfter_ms: 120_000 },
  telemetry: { serviceName: "kuromajutsu", interval_ms: 5_000 },
  alerts: { rules: [], webhooks: {} },
  mcpServers: {},
  slack: { mode: "auto" as const, people: [], boards: [] },
  auth: { users: [] },
  roles: [],
  tools: [],
});
