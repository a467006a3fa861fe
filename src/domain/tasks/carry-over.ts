import type { Step } from "./draft.ts";
import type { Execution, StepState } from "./execution.ts";

/**
 * The steps of the next attempt: what is done stays done, a call whose outcome nobody knows stays
 * unknown, and who chose to go on without a step is not asked again. The rest begins anew.
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
  // A failed attempt may have failed because of it: people are asked again.
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
