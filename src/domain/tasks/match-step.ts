import type { StepId } from "../ids.ts";
import type { Step, ToolRef } from "./draft.ts";
import type { StepState } from "./execution.ts";
import { isCurrent } from "./step-progress.ts";

/** The approved steps and their states. */
export type Matching = {
  readonly steps: readonly Step[];
  readonly states: readonly StepState[];
  /** The step that the executor named last. */
  readonly namedStepId: StepId | null;
};

export type StepMatch = { readonly step: Step; readonly requiresHumanCheck: boolean };

type Candidate = { readonly step: Step; readonly state: StepState | undefined };

/**
 * The step a call belongs to; undefined: no step has this tool, or all of them are done. A rejected
 * step is matched only if there is no other, so that the refusal can state its reason.
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
 * The executor only claims which of several steps a call is for. While it could be for a step that
 * a person must check or has rejected, the check applies.
 */
function isCheckNeeded(candidates: readonly Candidate[], chosen: Candidate): boolean {
  return candidates.some(
    (each) => each.step.requiresHumanCheck && (each === chosen || !isSpent(each)),
  );
}

/**
 * Done by a call and not repeatable. A step that the executor merely reported as done does not
 * count.
 */
function isSpent({ state }: Candidate): boolean {
  return state?.status === "done" && state.calls > 0 && state.mayRepeat !== true;
}
