import type { StepId } from "../ids.ts";
import {
  applyToStep,
  type Execution,
  type StepEvent,
  type StepState,
  type StepStatus,
} from "./execution.ts";

/** The events that bring a step to `running`, which is where a call can fail or lose its answer. */
const TO_RUNNING: Readonly<Record<StepStatus, readonly StepEvent[]>> = {
  waiting: ["started"],
  running: [],
  waiting_for_human: ["human_approved"],
  done: ["started"],
  failed: ["started"],
  rejected: ["reopened", "started"],
  stopped: ["reopened", "started"],
  outcome_unknown: ["reopened", "started"],
};

/** A call of the step is forwarded: the step runs, and earlier running steps are done. */
export function startStep(execution: Execution, stepId: StepId, now: number): Execution {
  const calls = (stateOf(execution, stepId)?.calls ?? 0) + 1;
  const begun = beginStep(execution, stepId, now);
  return applyToStep(begun, stepId, "started", now, { calls });
}

/** The executor has begun the step. */
export function beginStep(execution: Execution, stepId: StepId, now: number): Execution {
  const index = indexOf(execution, stepId);
  const earlier = execution.steps.filter((step, at) => at < index && isCurrent(step));
  const finished = earlier.reduce(
    (changed, step) => applyToStep(changed, step.stepId, "finished", now),
    execution,
  );
  return { ...bringToRunning(finished, stepId, now), namedStepId: namedAfter(finished, index) };
}

/**
 * The executor may still be in this step: it runs, or its call was answered and may be repeated.
 */
export function isCurrent({ status, mayRepeat }: StepState): boolean {
  return status === "running" || mayRepeat === true;
}

/** The last running call of the step has been answered. */
export function answerStep(execution: Execution, stepId: StepId, now: number): Execution {
  if (stateOf(execution, stepId)?.status !== "running") return execution;
  return applyToStep(execution, stepId, "finished", now, { mayRepeat: true });
}

/** An executor that begins a later step has left the one it named. */
function namedAfter(execution: Execution, index: number): StepId | null {
  const { namedStepId } = execution;
  if (namedStepId === null) return null;
  return indexOf(execution, namedStepId) < index ? null : namedStepId;
}

/** Records what happened to a call of the step, whatever the status of the step is now. */
export function recordInStep(
  execution: Execution,
  stepId: StepId,
  event: "failed" | "answer_lost",
  now: number,
  error: string | null,
): Execution {
  return applyToStep(bringToRunning(execution, stepId, now), stepId, event, now, { error });
}

/** Applies the events that the transition table requires until the step runs. */
function bringToRunning(execution: Execution, stepId: StepId, now: number): Execution {
  const events = TO_RUNNING[stateOf(execution, stepId)?.status ?? "running"];
  return events.reduce((changed, event) => applyToStep(changed, stepId, event, now), execution);
}

export function stateOf({ steps }: Execution, stepId: StepId): StepState | undefined {
  return steps.find((step) => step.stepId === stepId);
}

function indexOf({ steps }: Execution, stepId: StepId): number {
  return steps.findIndex((step) => step.stepId === stepId);
}
