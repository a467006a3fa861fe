import { Refusal } from "../../domain/refusal.ts";
import type { Step } from "../../domain/tasks/draft.ts";
import { isOver } from "../../domain/tasks/execution.ts";
import { matchStep } from "../../domain/tasks/match-step.ts";
import { stateOf } from "../../domain/tasks/step-progress.ts";
import { listAllApprovals } from "../approvals/list-all-approvals.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { authorizeByApproval } from "./authorize-by-approval.ts";
import { authorizeByOutcome } from "./authorize-by-outcome.ts";
import { pass, type CallCase, type CallAuthorization, type WantedCall } from "./call-case.ts";
import {
  executionOver,
  executionStopping,
  notInAnExecution,
  notInProcess,
  stepClosed,
  stepRejected,
} from "./call-refusals.ts";

/**
 * Decides by the approved process whether a call is sent. It runs in the transaction that commits
 * the intent, so nothing can change in between.
 */
export async function authorizeCall(
  core: Core,
  unit: UnitOfWork,
  wanted: WantedCall,
): Promise<CallAuthorization> {
  const agent = await unit.getAgent(wanted.agentId);
  const execution = await unit.getExecution(agent?.executionId ?? "");
  if (!agent || !execution) throw notInAnExecution();
  const isStopped = await isAgentStopped(unit, wanted);
  if (isOver(execution)) throw executionOver(execution);
  if (execution.status === "stopping" && !wanted.isReadOnly) throw executionStopping(execution);
  const process = await unit.getProcessDraft(execution.processId);
  const match = matchStep(
    {
      steps: process?.steps ?? [],
      states: execution.steps,
      namedStepId: execution.namedStepId,
    },
    wanted.ref,
  );
  const facts: CallCase = { core, unit, wanted, agent, execution, isStopped };
  const known = await authorizeByOutcome(facts, match?.step ?? null);
  if (known) return known;
  if (!match) return authorizeUnplanned(facts);
  const state = stateOf(execution, match.step.id);
  if (state?.status === "rejected") throw await rejectionOf(facts, match.step, state.error);
  return match.requiresHumanCheck || wanted.isCheckDemanded
    ? authorizeByApproval(facts, "step", match.step)
    : pass(facts, match.step, null);
}

async function isAgentStopped(unit: UnitOfWork, wanted: WantedCall): Promise<boolean> {
  try {
    await requireNotStopped(unit, wanted.agentId);
    return false;
  } catch (error) {
    if (wanted.isReadOnly && error instanceof Refusal) return true;
    throw error;
  }
}

async function authorizeUnplanned(facts: CallCase): Promise<CallAuthorization> {
  const { core, wanted } = facts;
  switch (core.settings.tasks.unplannedTools) {
    case "allow":
      if (wanted.isCheckDemanded) return authorizeByApproval(facts, "unplanned_tool", null);
      return pass(facts, null, null);
    case "refuse":
      throw notInProcess(wanted.ref);
    case "ask":
      return authorizeByApproval(facts, "unplanned_tool", null);
  }
}

async function rejectionOf(
  { unit, execution }: CallCase,
  step: Step,
  reason: string | null,
): Promise<Error> {
  const approvals = await listAllApprovals(unit, {
    executionId: execution.id,
    kind: "step",
    statuses: ["rejected"],
  });
  const rejection = approvals.find(({ stepId }) => stepId === step.id);
  return rejection ? stepRejected(rejection) : stepClosed(step.id, reason);
}
