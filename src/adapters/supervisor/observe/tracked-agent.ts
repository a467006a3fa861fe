import type { Adoption, Observation } from "../../../app/ports/supervisor.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { WrapperProcess } from "../launcher/launcher-messages.ts";
import type { SpoolFiles } from "../spool/spool.ts";
import type { AgentStream } from "./agent-stream.ts";
import {
  accepts,
  adopted,
  launching,
  nextAttempt,
  startedOf,
  type AttemptEvent,
  type AttemptState,
} from "./attempt.ts";

/** One attempt of one agent, as far as this daemon has seen it. */
export type TrackedAgent = {
  readonly agentId: AgentId;
  readonly attempt: number;
  readonly mark: string;
  readonly files: SpoolFiles;
  readonly stream: AgentStream;
  /** Changed by `advance` only. */
  state: AttemptState;
  /** What the next step looks at. */
  readonly probe: { isStatusDue: boolean; statusSize: number; isLivenessDue: boolean };
  isOverLimit: boolean;
  /** Why one of its spool files could not be read; null while all could. */
  unreadable: string | null;
  /** What is committed. */
  readonly reported: { started: boolean; overLimit: boolean; offset: number; end: boolean };
};

export function trackAgent(
  agent: Pick<TrackedAgent, "agentId" | "attempt" | "mark" | "files" | "stream">,
  adoption: Adoption | null,
): TrackedAgent {
  const state = adoption ? adopted(adoption.process, adoption.startedAt) : launching();
  return {
    ...agent,
    state,
    probe: { isStatusDue: true, statusSize: 0, isLivenessDue: adoption !== null },
    isOverLimit: false,
    unreadable: null,
    reported: {
      started: state.name === "running",
      overLimit: false,
      offset: agent.stream.offset,
      end: false,
    },
  };
}

export function advance(agent: TrackedAgent, event: AttemptEvent): void {
  agent.state = nextAttempt(agent.state, event);
}

/** For events from outside, which may come when the attempt is already past them. */
export function advanceIfAccepted(agent: TrackedAgent, event: AttemptEvent): boolean {
  if (!accepts(agent.state, event.type)) return false;
  advance(agent, event);
  return true;
}

/** A caller waits for it: for a free slot, or to stop an agent that writes too much. */
export function hasUrgentNews({ reported, state, isOverLimit }: TrackedAgent): boolean {
  if (reported.end) return false;
  return state.name === "over" || (isOverLimit && !reported.overLimit);
}

/** A start, an end or a limit: it must not wait for the next round of progress. */
export function hasLifecycleNews(agent: TrackedAgent): boolean {
  return hasUrgentNews(agent) || (!agent.reported.started && startedOf(agent.state) !== undefined);
}

export function hasNews(agent: TrackedAgent): boolean {
  if (agent.reported.end) return false;
  return hasLifecycleNews(agent) || agent.stream.offset !== agent.reported.offset;
}

/** Everything not yet committed, in the order it happened. */
export function observationsOf(
  agent: TrackedAgent,
  options: { readonly withProgress: boolean; readonly previewLines: number },
): Observation[] {
  const { agentId, attempt, state, reported } = agent;
  const started = startedOf(state);
  const batch: Observation[] = [];
  if (started && !reported.started) {
    const { pid, start: pidStart, bootId } = started.process;
    batch.push({ type: "started", agentId, attempt, pid, pidStart, bootId, at: started.startedAt });
  }
  if (agent.isOverLimit && !reported.overLimit) {
    batch.push({ type: "spool_limit_reached", agentId, attempt });
  }
  const end = state.name === "over" ? state.end : null;
  if (end?.type === "ended") {
    const progress = agent.stream.snapshot(options.previewLines);
    batch.push({ ...end, agentId, attempt, progress });
  } else if (end) {
    batch.push({ ...end, agentId, attempt });
  } else if (options.withProgress && agent.stream.offset !== reported.offset) {
    const progress = agent.stream.snapshot(options.previewLines);
    batch.push({ type: "progress", agentId, attempt, progress });
  }
  return batch;
}

export function markReported({ reported }: TrackedAgent, observation: Observation): void {
  switch (observation.type) {
    case "started":
      reported.started = true;
      return;
    case "spool_limit_reached":
      reported.overLimit = true;
      return;
    case "progress":
      reported.offset = observation.progress.offset;
      return;
    case "ended":
    case "start_failed":
    case "not_launched":
      reported.end = true;
  }
}

export function wrapperOf(
  { files, mark }: TrackedAgent,
  process: { readonly pid: number; readonly start: string },
): WrapperProcess {
  return { key: files.key, mark, pid: process.pid, start: process.start };
}
