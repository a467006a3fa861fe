import type { AgentId, WorkspaceId } from "../ids.ts";
import type { Verdict } from "../tasks/execution.ts";
import type { Attention } from "../workspaces/attention.ts";
import type { Agent, StopReason } from "./agent.ts";
import { isHelloDue } from "./degraded.ts";
import type { AgentProgress, Retries } from "./progress.ts";
import type { Failure, Usage } from "./runner.ts";

export const RESULT_STATUSES = ["success", "failure", "timeout", "cancelled"] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** What an agent states about its own work. */
export type AgentReport = {
  readonly status: ResultStatus;
  readonly summary: string;
  readonly response: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  readonly errorMessage: string | null;
  /**
   * The verdict of report_completed. For blocked, cancelled and waiting the status is `cancelled`.
   */
  readonly outcome?: Verdict;
};

/** How the process ended, as far as it could be observed. */
export type ProcessEnd = {
  /** null: unknown, because the wrapper process itself was killed. */
  readonly exitCode: number | null;
  readonly stderrTail: string;
  readonly startError: string | null;
  /** What the runner reads from stderr and the exit code. */
  readonly diagnosis?: { readonly message: string; readonly failure: Failure };
  /** Its spool files were deleted while it ran, so its exit code is unknown. */
  readonly filesLost?: boolean;
  /** Why one of its spool files could not be read. */
  readonly unreadable?: string;
  /** Processes that could not be proved dead after a stop. */
  readonly survivors: readonly string[];
};

/** The change of an isolated agent, as it was captured at its end. */
export type ResultChange = {
  readonly workspaceId: WorkspaceId;
  readonly branch: string;
  readonly base: string;
  readonly commit: string | null;
  readonly version: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** The first paths; `files` counts all. */
  readonly paths: readonly string[];
  readonly attention: readonly Attention[];
  /** Agents whose changes conflict with this one; looked up when the result is read. */
  readonly conflictsWith?: readonly AgentId[];
};

/** The agent result of docs/spec.md, with more fields. */
export type AgentResult = {
  readonly agentId: string;
  readonly groupId: string;
  readonly status: ResultStatus;
  /** The verdict of report_completed; absent if it was not called. */
  readonly outcome?: Verdict;
  readonly summary: string;
  readonly response: string;
  readonly editedFiles: readonly string[];
  readonly createdFiles: readonly string[];
  /** Absent if there are none. */
  readonly deletedFiles?: readonly string[];
  readonly durationMs: number;
  readonly model: string;
  /** The model as the CLI names it; absent if it does not. */
  readonly reportedModel?: string;
  readonly role: string;
  readonly toolCallCount: number;
  readonly errorMessage: string | null;
  /** The kind of a failure that is known; absent for others and for successes. */
  readonly failure?: Failure;
  readonly exitCode: number | "unknown" | null;
  readonly usage: Usage | null;
  /** As the CLI reported it; absent if it did not. */
  readonly costUsd?: number;
  /** Requests to the model that failed and were sent again; absent if there were none. */
  readonly retries?: Pick<Retries, "count" | "lastReason">;
  readonly warnings: readonly string[];
  /** Absent for an agent without a worktree of its own. */
  readonly change?: ResultChange;
  /** No model was asked and no real work was done; absent for a real CLI. */
  readonly rehearsal?: true;
  readonly at: number;
};

/** The result of an agent without a report, from what was observed so far. */
export function observedResult(
  agent: Agent,
  progress: AgentProgress,
  end: ProcessEnd | null,
  now: number,
): AgentResult {
  const status = statusOf(agent);
  const failure = failureOf(agent, progress, end);
  return {
    agentId: agent.id,
    groupId: agent.groupId,
    status,
    summary: progress.lastMessage,
    response: progress.end?.text || progress.lastMessage,
    editedFiles: progress.editedFiles,
    createdFiles: progress.createdFiles,
    ...(progress.deletedFiles.length > 0 && { deletedFiles: progress.deletedFiles }),
    durationMs: durationOf(agent, now),
    model: agent.model,
    ...reportedModelOf(agent, progress),
    role: agent.role,
    toolCallCount: progress.toolCallCount,
    errorMessage: status === "success" ? null : errorOf(agent, progress, end),
    ...(status === "failure" && failure && { failure }),
    exitCode: end === null || end.startError !== null ? null : (end.exitCode ?? "unknown"),
    usage: progress.usage,
    ...(progress.costUsd !== null && { costUsd: progress.costUsd }),
    ...(progress.retries.count > 0 && { retries: retriesOf(progress) }),
    warnings: warningsOf(agent, progress, end),
    ...(agent.runner === "rehearsal" && { rehearsal: true }),
    at: now,
  };
}

/** A CLI that was stopped while it retried does not say why it ended; its last retry does. */
export function failureOf(
  agent: Pick<Agent, "stopReason">,
  progress: AgentProgress,
  end: Pick<ProcessEnd, "diagnosis"> | null,
): Failure | undefined {
  const isRetrying = agent.stopReason === "retry_limit" || agent.stopReason === "retry_time";
  const ofRetry = isRetrying ? (progress.retries.lastFailure ?? undefined) : undefined;
  return progress.end?.failure ?? ofRetry ?? end?.diagnosis?.failure;
}

/** A rehearsal names itself as its model, because it asks none. */
export function reportedModelOf(
  { runner }: Pick<Agent, "runner">,
  { reportedModel }: Pick<AgentProgress, "reportedModel">,
): { reportedModel?: string } {
  return runner === "rehearsal" || reportedModel === null ? {} : { reportedModel };
}

function retriesOf({ retries: { count, lastReason } }: AgentProgress) {
  return { count, lastReason };
}

/** The report takes precedence over what was observed; files are the union of both. */
export function withReport(observed: AgentResult, report: AgentReport): AgentResult {
  return {
    ...observed,
    status: report.status,
    ...(report.outcome === undefined ? {} : { outcome: report.outcome }),
    summary: report.summary,
    response: report.response,
    editedFiles: union(observed.editedFiles, report.editedFiles),
    createdFiles: union(observed.createdFiles, report.createdFiles),
    errorMessage:
      report.errorMessage ?? (report.status === "success" ? null : observed.errorMessage),
  };
}

export function durationOf(agent: Agent, now: number): number {
  return agent.startedAt === null ? 0 : Math.max(0, (agent.endedAt ?? now) - agent.startedAt);
}

function statusOf(agent: Agent): ResultStatus {
  switch (agent.status) {
    case "completed":
    case "resultReported":
      return "success";
    case "timedOut":
      return "timeout";
    case "cancelled":
      return "cancelled";
    case "queued":
    case "running":
    case "failed":
    case "lost":
      return "failure";
  }
}

function errorOf(agent: Agent, progress: AgentProgress, end: ProcessEnd | null): string | null {
  if (end?.startError && agent.status === "cancelled") return end.startError;
  if (end?.startError) return `The agent could not be started: ${end.startError}`;
  if (agent.stopReason !== null) return STOPPED[agent.stopReason] + lastRetry(agent, progress);
  if (progress.end?.error) return progress.end.error;
  if (end?.diagnosis) return `${end.diagnosis.message} The CLI said: ${end.stderrTail.trim()}`;
  if (end?.stderrTail.trim()) return end.stderrTail.trim();
  if (end?.filesLost) return FILES_LOST;
  if (end?.unreadable !== undefined) return unreadable(end.unreadable);
  if (agent.status === "lost") return "The process disappeared without an exit code.";
  if (end?.exitCode === 0) return "The process ended without a result event.";
  return end ? `The process ended with exit code ${end.exitCode ?? "unknown"}.` : null;
}

const FILES_LOST =
  "Its files in the spool directory were deleted while it ran: its exit code is unknown, and output may be missing.";

function unreadable(why: string): string {
  return `A file of it in the spool directory could not be read (${why}): output or the exit code may be missing.`;
}

const STOPPED: Record<StopReason, string> = {
  timeout: "Stopped at its time limit.",
  cancelled: "Cancelled.",
  interrupted: "Stopped: it did not report in time after its stop notification.",
  lingered: "Stopped: the process did not exit by itself after it had finished.",
  spool_limit:
    "Stopped: it wrote more output than agent.maxOutput_mb (or agent.maxSpool_bytes) allows.",
  retry_limit:
    "Stopped: requests to its model failed more often in a row than agent.maxRetries allows.",
  retry_time:
    "Stopped: requests to its model kept failing for longer than agent.maxRetryTime_ms allows.",
  event_limit: "Stopped: it wrote more events than agent.maxEvents allows.",
  tool_call_limit: "Stopped: it called more tools than agent.maxToolCalls allows.",
};

function lastRetry({ stopReason }: Agent, { retries }: AgentProgress): string {
  const isRetry = stopReason === "retry_limit" || stopReason === "retry_time";
  return isRetry && retries.lastReason !== null ? ` The last reason: ${retries.lastReason}` : "";
}

function hasNeverConnected(agent: Agent, { mcpConnected }: AgentProgress): boolean {
  const wasDegraded = agent.degraded !== null || mcpConnected === false;
  return wasDegraded && isHelloDue({ ...agent, process: "alive" });
}

function lostSessionWarning(session: string): string {
  return `The conversation ${session} could not be continued, so a new one was begun.`;
}

export const REHEARSAL_WARNING = "Rehearsal: no model was asked.";

function warningsOf(agent: Agent, progress: AgentProgress, end: ProcessEnd | null): string[] {
  const { editedFiles, createdFiles, deletedFiles } = progress;
  const touched = editedFiles.length + createdFiles.length + deletedFiles.length;
  return [
    ...(agent.runner === "rehearsal" ? [REHEARSAL_WARNING] : []),
    ...(agent.runnerNote === null ? [] : [agent.runnerNote]),
    ...(agent.access === "read-only" && touched > 0
      ? [
          `The role is read-only, but ${touched === 1 ? "1 file was" : `${touched} files were`} written.`,
        ]
      : []),
    ...progress.warnings,
    ...(hasNeverConnected(agent, progress)
      ? ["It never connected to Kuromajutsu, so it could not report."]
      : []),
    ...(progress.lostSession === null ? [] : [lostSessionWarning(progress.lostSession)]),
    ...(progress.skippedLines > 0
      ? [
          `${progress.skippedLines === 1 ? "1 line" : `${progress.skippedLines} lines`} of output could not be read as events.`,
        ]
      : []),
    ...(end?.filesLost ? [FILES_LOST] : []),
    ...(end?.unreadable === undefined ? [] : [unreadable(end.unreadable)]),
    ...(end?.survivors ?? []).map((survivor) => `Could not be proved dead: ${survivor}`),
  ];
}

function union(observed: readonly string[], reported: readonly string[]): string[] {
  return [...new Set([...observed, ...reported])];
}
