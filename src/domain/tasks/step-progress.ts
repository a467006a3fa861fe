import type { StepId } from "../ids.ts";
import {
  applyToStep,
  type Execution,
  type StepEvent,
  type StepState,
  type StepStatus,
} from "./execution.ts";

/** What must have happened before something can go wrong, or right, in a step. */
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

/** A call of the step is let through: it runs, earlier ones that ran are done. */
export function startStep(execution: Execution, stepId: StepId, now: number): Execution {
  const calls = (stateOf(execution, stepId)?.calls ?? 0) + 1;
  const begun = beginStep(execution, stepId, now);
  return applyToStep(begun, stepId, "started", now, { calls });
}

/** The executor has turned to the step. */
export function beginStep(execution: Execution, stepId: StepId, now: number): Execution {
  const index = indexOf(execution, stepId);
  const earlier = execution.steps.filter((step, at) => at < index && isCurrent(step));
  const finished = earlier.reduce(
    (changed, step) => applyToStep(changed, step.stepId, "finished", now),
    execution,
  );
  return { ...throughTo(finished, stepId, now), namedStepId: namedAfter(finished, index) };
}

/** The executor may still be in it: it runs, or its call was answered and may be repeated. */
export function isCurrent({ status, mayRepeat }: StepState): boolean {
  return status === "running" || mayRepeat === true;
}

/** The last call of the step that was under way has been answered. */
export function answerStep(execution: Execution, stepId: StepId, now: number): Execution {
  if (stateOf(execution, stepId)?.status !== "running") return execution;
  return applyToStep(execution, stepId, "finished", now, { mayRepeat: true });
}

/** Who begins a later step has left the one it named. */
function namedAfter(execution: Execution, index: number): StepId | null {
  const { namedStepId } = execution;
  if (namedStepId === null) return null;
  return indexOf(execution, namedStepId) < index ? null : namedStepId;
}

/** A fact about a call of the step, whatever has become of the step in the meantime. */
export function recordInStep(
  execution: Execution,
  stepId: StepId,
  event: "failed" | "answer_lost",
  now: number,
  error: string | null,
): Execution {
  return applyToStep(throughTo(execution, stepId, now), stepId, event, now, { error });
}

/** Through whatever is lawful until the step runs. */
function throughTo(execution: Execution, stepId: StepId, now: number): Execution {
  const road = TO_RUNNING[stateOf(execution, stepId)?.status ?? "running"];
  return road.reduce((changed, event) => applyToStep(changed, stepId, event, now), execution);
}

export function stateOf({ steps }: Execution, stepId: StepId): StepState | undefined {
  return steps.find((step) => step.stepId === stepId);
}

function indexOf({ steps }: Execution, stepId: StepId): number {
  return steps.findIndex((step) => step.stepId === stepId);
}
