import { nextState, type Transitions } from "./transition.ts";

export const EXECUTION_STATUSES = [
  "queued",
  "running",
  "waiting_for_human",
  "stopping",
  "completed",
  "failed",
  "blocked",
  "cancelled",
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const EXECUTION_EVENTS = [
  "started",
  "human_needed",
  "human_decided",
  "stop_requested",
  "succeeded",
  "failed",
  "blocked",
  "cancelled",
] as const;
export type ExecutionEvent = (typeof EXECUTION_EVENTS)[number];

/**
 * One attempt to run a process; a retry is a new execution. A queued or parked execution has no
 * agent to wait for, so it is blocked or cancelled at once; a running one goes through `stopping`.
 */
export const EXECUTION_TRANSITIONS: Transitions<ExecutionStatus, ExecutionEvent> = {
  queued: { started: "running", blocked: "blocked", cancelled: "cancelled" },
  running: {
    human_needed: "waiting_for_human",
    stop_requested: "stopping",
    succeeded: "completed",
    failed: "failed",
  },
  waiting_for_human: {
    human_decided: "running",
    stop_requested: "stopping",
    blocked: "blocked",
    cancelled: "cancelled",
  },
  // An agent that finishes while being stopped: its word is kept.
  stopping: {
    succeeded: "completed",
    failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
  },
  completed: {},
  failed: {},
  blocked: {},
  cancelled: {},
};

export function nextExecutionStatus(
  status: ExecutionStatus,
  event: ExecutionEvent,
): ExecutionStatus {
  return nextState(EXECUTION_TRANSITIONS, "The execution", status, event);
}
