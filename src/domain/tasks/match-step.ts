import type { StepId } from "../ids.ts";
import type { Step, ToolRef } from "./draft.ts";
import type { StepState } from "./execution.ts";
import { isCurrent } from "./step-progress.ts";

/** The approved steps, and how far the execution is with them. */
export type Matching = {
  readonly steps: readonly Step[];
  readonly states: readonly StepState[];
  /** The step the executor last named itself. */
  readonly namedStepId: StepId | null;
};

export type StepMatch = { readonly step: Step; readonly requiresHumanCheck: boolean };

type Candidate = { readonly step: Step; readonly state: StepState | undefined };

/**
 * The step a call belongs to; undefined: no step has this tool, or they are all done. A rejected
 * step is only found when there is no other, so that its call can be refused with the reason.
 */
export function matchStep(matching: Matching, ref: ToolRef): StepMatch | undefined {
  const candidates = candidatesFor(matching, ref);
  const chosen =
    candidates.find(({ step }) => step.id === matching.namedStepId) ??
    candidates.find(({ state }) => state && isCurrent(state)) ??
    candidates.find(isUnfinished) ??
    candidates.find(({ state }) => state?.status === "rejected");
  if (!chosen) return undefined;
  return { step: chosen.step, requiresHumanCheck: isCheckNeeded(candidates, chosen) };
}

function candidatesFor({ steps, states }: Matching, { server, tool }: ToolRef): Candidate[] {
  return steps
    .filter((step) => step.server === server && step.tool === tool)
    .toSorted((a, b) => a.order - b.order)
    .map((step) => ({ step, state: states.find(({ stepId }) => stepId === step.id) }));
}

function isUnfinished({ state }: Candidate): boolean {
  return state?.status !== "done" && state?.status !== "rejected";
}

/**
 * Which of several steps a call is for is only the executor's word: while it could be for one that
 * a person must check, or has refused, the check applies.
 */
function isCheckNeeded(candidates: readonly Candidate[], chosen: Candidate): boolean {
  return candidates.some(
    (each) => each.step.requiresHumanCheck && (each === chosen || !isSpent(each)),
  );
}

/** Done by a call and not to be repeated. Done by the executor's word alone does not count. */
function isSpent({ state }: Candidate): boolean {
  return state?.status === "done" && state.calls > 0 && state.mayRepeat !== true;
}
