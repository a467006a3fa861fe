import type { Step } from "./draft.ts";
import type { Execution, StepState } from "./execution.ts";

/**
 * The steps of the next attempt: done steps stay done, unknown outcomes stay unknown, and a step
 * that a person chose to skip stays rejected. All other steps start again.
 */
export function carryOver(
  steps: readonly Step[],
  previous: Pick<Execution, "steps" | "status"> | undefined,
): StepState[] {
  return steps.map((step) => {
    const before = previous?.steps.find(({ stepId }) => stepId === step.id);
    return before && isKept(before, previous?.status) ? before : freshState(step);
  });
}

function isKept({ status }: StepState, ended: Execution["status"] | undefined): boolean {
  if (status === "done" || status === "outcome_unknown") return true;
  // A failed attempt may have failed because of the rejection, so people are asked again.
  return status === "rejected" && ended !== "failed";
}

function freshState({ id }: Step): StepState {
  return {
    stepId: id,
    status: "waiting",
    startedAt: null,
    endedAt: null,
    calls: 0,
    error: null,
    note: null,
  };
}
