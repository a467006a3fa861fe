import type { AgentId, ExecutionId, ProcessId, StepId, TaskId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";

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
  // An executor may finish while its execution is being interrupted: its verdict counts.
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
  return nextState(EXECUTION_TRANSITIONS, { en: "The execution", ja: "実行" }, status, event);
}

export const STEP_STATUSES = [
  "waiting",
  "running",
  "waiting_for_human",
  "done",
  "failed",
  "rejected",
  "stopped",
  "outcome_unknown",
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const STEP_EVENTS = [
  "started",
  "human_needed",
  "human_approved",
  "finished",
  "failed",
  "rejected",
  "stopped",
  "answer_lost",
  "confirmed",
  "reopened",
] as const;
export type StepEvent = (typeof STEP_EVENTS)[number];

/**
 * One step of one execution. A step is `done` when its call has been answered; the next call of its
 * tool starts it again until a later step begins or the executor reports it done (`mayRepeat`).
 * `outcome_unknown`: a call was forwarded and its answer was lost; only a person's decision
 * resolves it.
 */
export const STEP_TRANSITIONS: Transitions<StepStatus, StepEvent> = {
  waiting: {
    started: "running",
    human_needed: "waiting_for_human",
    finished: "done",
    failed: "failed",
    stopped: "stopped",
  },
  running: {
    started: "running",
    human_needed: "waiting_for_human",
    finished: "done",
    failed: "failed",
    stopped: "stopped",
    answer_lost: "outcome_unknown",
  },
  waiting_for_human: {
    human_needed: "waiting_for_human",
    human_approved: "running",
    rejected: "rejected",
    failed: "failed",
    stopped: "stopped",
  },
  // The executor calls the tool again, because it named the step or the first call failed.
  done: { started: "running", human_needed: "waiting_for_human", finished: "done" },
  failed: { started: "running", human_needed: "waiting_for_human", reopened: "waiting" },
  rejected: { reopened: "waiting" },
  stopped: { reopened: "waiting" },
  outcome_unknown: {
    answer_lost: "outcome_unknown",
    confirmed: "done",
    reopened: "waiting",
    failed: "failed",
  },
};

export function nextStepStatus(status: StepStatus, event: StepEvent): StepStatus {
  return nextState(STEP_TRANSITIONS, { en: "The step", ja: "ステップ" }, status, event);
}

export type StepState = {
  readonly stepId: StepId;
  readonly status: StepStatus;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Forwarded calls of this step. */
  readonly calls: number;
  readonly error: string | null;
  /** The executor's last note about the step. */
  readonly note: string | null;
  /**
   * The step is done because its call was answered. The executor may still be in it: a repeated
   * call of the tool belongs to this step, and the attempt after an interrupt starts it again.
   */
  readonly mayRepeat?: boolean;
};

export const VERDICTS = ["success", "failure", "blocked", "cancelled", "waiting"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One attempt to run a process. A retry or an unblock starts the next attempt. */
export type Execution = {
  readonly id: ExecutionId;
  readonly taskId: TaskId;
  readonly processId: ProcessId;
  readonly attempt: number;
  readonly status: ExecutionStatus;
  /** The current executor; null while the execution is queued or parked. */
  readonly agentId: AgentId | null;
  /** All executors of this execution, the newest last. */
  readonly agentIds: readonly AgentId[];
  readonly steps: readonly StepState[];
  /** The step that the executor named last. */
  readonly namedStepId: StepId | null;
  /** The status after the interrupt; null if the execution is not interrupted. */
  readonly stopFor: "blocked" | "cancelled" | null;
  /** From the executor's report, or why there is none. */
  readonly summary: string | null;
  readonly response: string | null;
  readonly error: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly version: number;
};

const OVER: readonly ExecutionStatus[] = ["completed", "failed", "blocked", "cancelled"];

export function isOver({ status }: Pick<Execution, "status">): boolean {
  return OVER.includes(status);
}

export function applyToExecution(
  execution: Execution,
  event: ExecutionEvent,
  now: number,
  changes: Partial<Execution> = {},
): Execution {
  const next = { ...execution, ...changes };
  const status = nextExecutionStatus(execution.status, event);
  return { ...next, status, endedAt: isOver({ status }) ? now : null };
}

/** Changes one step of an execution. */
export function applyToStep(
  execution: Execution,
  stepId: StepId,
  event: StepEvent,
  now: number,
  changes: Partial<StepState> = {},
): Execution {
  const steps = execution.steps.map((step) =>
    step.stepId === stepId ? stepAfter(step, event, now, changes) : step,
  );
  return { ...execution, steps };
}

/** A step that was already done keeps its time. */
function endOf(step: StepState, next: StepStatus, now: number): number {
  return step.status === "done" && next === "done" ? (step.endedAt ?? now) : now;
}

const STILL_OPEN: readonly StepStatus[] = ["waiting", "running", "waiting_for_human"];

function stepAfter(
  step: StepState,
  event: StepEvent,
  now: number,
  changes: Partial<StepState>,
): StepState {
  const status = nextStepStatus(step.status, event);
  const { mayRepeat: _closed, ...kept } = step;
  return {
    ...kept,
    startedAt: status === "waiting" ? null : (step.startedAt ?? now),
    error: null,
    ...changes,
    status,
    endedAt: STILL_OPEN.includes(status) ? null : endOf(step, status, now),
  };
}
