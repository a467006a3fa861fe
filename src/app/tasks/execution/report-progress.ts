import type { StepId } from "../../../domain/ids.ts";
import { Refusal } from "../../../domain/refusal.ts";
import {
  applyToStep,
  isOver,
  type Execution,
  type StepState,
  type StepStatus,
} from "../../../domain/tasks/execution.ts";
import { beginStep, recordInStep, stateOf } from "../../../domain/tasks/step-progress.ts";
import type { Core, Identity } from "../../core.ts";
import { executionOver, notInAnExecution } from "../../gateway/call-refusals.ts";
import { saveExecution } from "./execution-event.ts";

const MAX_NOTE_CHARS = 2_000;

/** What an agent may say of a step; it cannot waive a human check. */
export const PROGRESS_WORDS = ["running", "done", "failed"] as const;
export type ProgressWord = (typeof PROGRESS_WORDS)[number];

export type ReportProgress = {
  readonly stepId: string;
  readonly status?: ProgressWord;
  readonly message?: string;
};

export type ProgressReported = { readonly stepId: StepId; readonly status: StepStatus };

/**
 * Names the step the agent works on: calls belong to it from now on. Only the executor names
 * steps; agents that work for it leave a note.
 */
export async function reportProgress(
  core: Core,
  identity: Identity,
  input: ReportProgress,
): Promise<ProgressReported> {
  if (identity.kind !== "agent") throw notInAnExecution();
  return core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(identity.agentId);
    const execution = await unit.getExecution(agent?.executionId ?? "");
    if (!agent || !execution) throw notInAnExecution();
    if (isOver(execution)) throw executionOver(execution);
    const known = requireStep(execution, input.stepId);
    const isExecutor = execution.agentIds.includes(agent.id);
    const noted = withNote(execution, known.stepId, input.message);
    const next = isExecutor ? named(noted, known, input, core.clock.now()) : noted;
    const updated = await saveExecution(core, unit, next, execution);
    const { stepId, status } = stateOf(updated, known.stepId) ?? known;
    return { stepId, status };
  });
}

function requireStep(execution: Execution, id: string): StepState {
  const step = execution.steps.find(({ stepId }) => stepId === id);
  if (step) return step;
  throw new Refusal(
    "STEP_NOT_FOUND",
    `There is no step ${id}.`,
    `Use one of: ${execution.steps.map(({ stepId }) => stepId).join(", ")}.`,
  );
}

function withNote(execution: Execution, stepId: StepId, message: string | undefined): Execution {
  const note = message?.trim().slice(0, MAX_NOTE_CHARS);
  if (!note) return execution;
  const steps = execution.steps.map((step) => (step.stepId === stepId ? { ...step, note } : step));
  return { ...execution, steps };
}

/** Only a person, or the end of the call, changes these. */
const NOT_THE_AGENTS: readonly StepStatus[] = [
  "waiting_for_human",
  "outcome_unknown",
  "rejected",
  "stopped",
];

function named(
  execution: Execution,
  { stepId, status }: StepState,
  { status: word = "running", message }: ReportProgress,
  now: number,
): Execution {
  if (execution.status === "stopping" || NOT_THE_AGENTS.includes(status)) {
    return { ...execution, namedStepId: stepId };
  }
  switch (word) {
    case "running":
      // What is done is not begun again by a word: that needs a call.
      return status === "done"
        ? { ...execution, namedStepId: stepId }
        : { ...beginStep(execution, stepId, now), namedStepId: stepId };
    case "done": {
      const begun = beginStep(execution, stepId, now);
      const namedStepId = begun.namedStepId === stepId ? null : begun.namedStepId;
      return { ...applyToStep(begun, stepId, "finished", now), namedStepId };
    }
    case "failed": {
      const error = message?.trim().slice(0, MAX_NOTE_CHARS) || "The executor gave no reason.";
      return { ...recordInStep(execution, stepId, "failed", now, error), namedStepId: stepId };
    }
  }
}
