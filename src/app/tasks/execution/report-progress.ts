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

/** What an agent may report about a step; it cannot waive a human check. */
export const REPORTABLE_STATUSES = ["running", "done", "failed"] as const;
export type ReportableStatus = (typeof REPORTABLE_STATUSES)[number];

export type ReportProgress = {
  readonly stepId: string;
  readonly status?: ReportableStatus;
  readonly message?: string;
};

export type ProgressReported = { readonly stepId: StepId; readonly status: StepStatus };

/**
 * Names the step that the executor works on: its calls belong to that step from now on. A report of
 * another agent only leaves a note on the step.
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
  throw new Refusal("STEP_NOT_FOUND", {
    en: [
      `There is no step ${id}.`,
      `Use one of: ${execution.steps.map(({ stepId }) => stepId).join(", ")}.`,
    ],
    ja: [
      `ステップ ${id} はありません。`,
      `次のどれかを使ってください: ${execution.steps.map(({ stepId }) => stepId).join(", ")}。`,
    ],
  });
}

function withNote(execution: Execution, stepId: StepId, message: string | undefined): Execution {
  const note = message?.trim().slice(0, MAX_NOTE_CHARS);
  if (!note) return execution;
  const steps = execution.steps.map((step) => (step.stepId === stepId ? { ...step, note } : step));
  return { ...execution, steps };
}

/** Only a person's decision, or the end of the call, changes these. */
const NOT_CHANGED_BY_AGENTS: readonly StepStatus[] = [
  "waiting_for_human",
  "outcome_unknown",
  "rejected",
  "stopped",
];

function named(
  execution: Execution,
  { stepId, status }: StepState,
  { status: reported = "running", message }: ReportProgress,
  now: number,
): Execution {
  if (execution.status === "stopping" || NOT_CHANGED_BY_AGENTS.includes(status)) {
    return { ...execution, namedStepId: stepId };
  }
  switch (reported) {
    case "running":
      // A report does not reopen a step that is done; only a call does.
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
