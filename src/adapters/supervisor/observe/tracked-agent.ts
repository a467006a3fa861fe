import type { Observation } from "../../../app/ports/supervisor.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { StopRequest, WrapperProcess } from "../launcher/launcher-messages.ts";
import type { SpoolFiles } from "../spool/spool.ts";
import type { ProcessIdentity } from "../spool/status-file.ts";
import type { AgentStream } from "./agent-stream.ts";

/** How an attempt is over, for good. */
export type Outcome =
  | {
      readonly type: "ended";
      readonly exitCode: number | null;
      readonly stderrTail: string;
      /** Its spool files were deleted while it ran, so its exit code is unknown. */
      readonly filesLost?: boolean;
      /** Why one of its spool files could not be read. */
      readonly unreadable?: string;
      readonly survivors: readonly string[];
    }
  | { readonly type: "start_failed"; readonly error: string }
  | { readonly type: "not_launched" };

/** One attempt of one agent, as far as this daemon has seen it. */
export type TrackedAgent = {
  readonly agentId: AgentId;
  readonly attempt: number;
  readonly mark: string;
  readonly files: SpoolFiles;
  readonly stream: AgentStream;

  /** Which launcher was asked, null while none was: not yet, or one of an earlier daemon. */
  launcher: number | null;
  /** No pid line by then: find out whether there is a wrapper at all. */
  startBy: number | null;
  isLookedFor: boolean;
  /** The launcher found no wrapper for it: give the attempt up unless there is a pid line. */
  isWrapperGone: boolean;
  /** Nobody may be left who would start it: take the claim unless there is a pid line. */
  isClaimDue: boolean;
  /** Set when launchers do not start at all: then trying again is of no use. */
  launchError: string | null;

  process: ProcessIdentity | null;
  /** When its pid line was first seen. */
  startedAt: number;
  /** The launcher knows it and remembers its tree. */
  isWatched: boolean;
  isStatusDue: boolean;
  statusSize: number;
  isLivenessDue: boolean;
  exit: { readonly code: number | null } | null;
  /** The size of the output when the end was known; what leftover processes write later is not read. */
  drainTo: number | null;
  stop: {
    readonly signal: "SIGTERM" | "SIGINT";
    isSent: boolean;
    /** null while the ladder is being climbed. */
    survivors: readonly string[] | null;
  } | null;
  isOverLimit: boolean;
  /** Why one of its spool files could not be read; null while all could. */
  unreadable: string | null;
  outcome: Outcome | null;

  /** What is committed. */
  told: { started: boolean; overLimit: boolean; offset: number; settled: boolean };
};

export function trackAgent(
  agent: Pick<TrackedAgent, "agentId" | "attempt" | "mark" | "files" | "stream" | "process">,
): TrackedAgent {
  return {
    ...agent,
    launcher: null,
    startBy: null,
    isLookedFor: false,
    isWrapperGone: false,
    isClaimDue: false,
    launchError: null,
    startedAt: 0,
    isWatched: false,
    isStatusDue: true,
    statusSize: 0,
    isLivenessDue: true,
    exit: null,
    drainTo: null,
    stop: null,
    isOverLimit: false,
    unreadable: null,
    outcome: null,
    told: {
      started: agent.process !== null,
      overLimit: false,
      offset: agent.stream.offset,
      settled: false,
    },
  };
}

export function isStarting(agent: TrackedAgent): boolean {
  return agent.process === null && agent.outcome === null;
}

/** Its process is known to have ended, or never to have been. */
export function isOver(agent: TrackedAgent): boolean {
  return agent.exit !== null || agent.outcome !== null;
}

/** Somebody waits for it: a free slot, a limit that was passed. */
export function isUrgent({ told, outcome, isOverLimit }: TrackedAgent): boolean {
  return !told.settled && (outcome !== null || (isOverLimit && !told.overLimit));
}

/** Must not wait for the next round of progress. */
export function isMomentous(agent: TrackedAgent): boolean {
  const { told, process } = agent;
  return isUrgent(agent) || (!told.settled && process !== null && !told.started);
}

export function hasNews(agent: TrackedAgent): boolean {
  return !agent.told.settled && (isMomentous(agent) || agent.stream.offset !== agent.told.offset);
}

/** Everything not yet committed, in the order it happened. */
export function observationsOf(
  agent: TrackedAgent,
  options: { readonly withProgress: boolean; readonly previewLines: number },
): Observation[] {
  const { agentId, attempt, process, outcome, told } = agent;
  const batch: Observation[] = [];
  if (process !== null && !told.started) {
    const { pid, start: pidStart, bootId } = process;
    batch.push({ type: "started", agentId, attempt, pid, pidStart, bootId, at: agent.startedAt });
  }
  if (agent.isOverLimit && !told.overLimit) {
    batch.push({ type: "spool_limit_reached", agentId, attempt });
  }
  if (outcome?.type === "ended") {
    const progress = agent.stream.snapshot(options.previewLines);
    batch.push({ ...outcome, agentId, attempt, progress });
  } else if (outcome) {
    batch.push({ ...outcome, agentId, attempt });
  } else if (options.withProgress && agent.stream.offset !== told.offset) {
    const progress = agent.stream.snapshot(options.previewLines);
    batch.push({ type: "progress", agentId, attempt, progress });
  }
  return batch;
}

export function wrapperOf(agent: TrackedAgent): WrapperProcess | undefined {
  if (!agent.process) return undefined;
  const { pid, start } = agent.process;
  return { key: agent.files.key, mark: agent.mark, pid, start };
}

/** The request for the ladder that this agent is on. */
export function stopOf(agent: TrackedAgent, graceMs: number): StopRequest | undefined {
  const wrapper = wrapperOf(agent);
  if (!wrapper || !agent.stop?.isSent || agent.stop.survivors !== null) return undefined;
  return { type: "stop", ...wrapper, signal: agent.stop.signal, graceMs };
}
