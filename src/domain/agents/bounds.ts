import type { StopReason } from "./agent.ts";
import { type AgentProgress, callsOf } from "./progress.ts";

/** What ends a runaway agent; 0: no limit. */
export type Bounds = {
  /** Retries in a row. */
  readonly maxRetries: number;
  /** From the first of the retries in a row. */
  readonly maxRetryTimeMs: number;
  /** Lines of output. */
  readonly maxEvents: number;
  readonly maxToolCalls: number;
};

/** The bound that an agent has passed; null: none. Time is watched elsewhere: progress has no clock. */
export function exceededBound(progress: AgentProgress, bounds: Bounds): StopReason | null {
  if (isOver(progress.retries.inARow, bounds.maxRetries)) return "retry_limit";
  if (isOver(callsOf(progress), bounds.maxToolCalls)) return "tool_call_limit";
  if (isOver(progress.lines, bounds.maxEvents)) return "event_limit";
  return null;
}

/** Identifies the current series of retries: the number of all retries before it. null: no series. */
export function retrySeries({ retries }: Pick<AgentProgress, "retries">): number | null {
  return retries.inARow === 0 ? null : retries.count - retries.inARow;
}

function isOver(count: number, max: number): boolean {
  return max > 0 && count > max;
}
