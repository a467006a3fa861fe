import type { Approval } from "../../../domain/approvals/approval.ts";
import { nextToolCallStatus, type ToolCallEvent } from "../../../domain/gateway/tool-call.ts";
import {
  applyToExecution,
  applyToStep,
  isOver,
  type Execution,
  type StepEvent,
  type StepState,
} from "../../../domain/tasks/execution.ts";
import { recordInStep, stateOf } from "../../../domain/tasks/step-progress.ts";
import { listAllApprovals } from "../../approvals/list-all-approvals.ts";
import { findLostCall } from "../../approvals/outcome-approval.ts";
import type { Core } from "../../core.ts";
import { settleLostAgentCall } from "../../gateway/record-agent-answer.ts";
import { recordAudit } from "../../people/audit.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { emitToolCall, saveExecution } from "./execution-event.ts";

/** The effect on the execution when a call, a question or an outcome was decided or has expired. */
export async function applyExecutionDecision(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
): Promise<void> {
  if (approval.kind === "outcome") await settleLostCall(core, unit, approval);
  const execution = await unit.getExecution(approval.executionId ?? "");
  if (!execution) return;
  const pending = await pendingOf(unit, execution);
  const now = core.clock.now();
  const stepped = afterDecision(execution, approval, pending, now);
  const next =
    stepped.status === "waiting_for_human" && pending.length === 0
      ? applyToExecution(stepped, "human_decided", now)
      : stepped;
  if (next !== execution) await saveExecution(core, unit, next, execution);
}

async function pendingOf(unit: UnitOfWork, { id }: Execution): Promise<readonly Approval[]> {
  return listAllApprovals(unit, { executionId: id, statuses: ["pending"] });
}

function afterDecision(
  execution: Execution,
  approval: Approval,
  pending: readonly Approval[],
  now: number,
): Execution {
  const step = approval.stepId === null ? undefined : stateOf(execution, approval.stepId);
  if (!step) return execution;
  if (approval.kind === "outcome") return afterOutcome(execution, step, approval, now);
  // Only the approval records the decision: no step waits for it, or the execution is over.
  if (approval.kind !== "step" || isOver(execution)) return execution;
  switch (approval.status) {
    case "approved": {
      const isStillWaiting = pending.some(({ stepId }) => stepId === step.stepId);
      return step.status === "waiting_for_human" && !isStillWaiting
        ? applyToStep(execution, step.stepId, "human_approved", now)
        : execution;
    }
    case "rejected":
      return refuse(execution, step, "rejected", approval.reason, now);
    case "expired":
      return refuse(execution, step, "failed", "Nobody decided in time.", now);
    case "pending":
    case "superseded":
    case "cancelled":
      return execution;
  }
}

/** Applies also if another call of the same step was approved before. */
function refuse(
  execution: Execution,
  { stepId, status }: StepState,
  event: Extract<StepEvent, "rejected" | "failed">,
  error: string | null,
  now: number,
): Execution {
  if (status === "rejected" || status === "stopped" || status === "outcome_unknown") {
    return execution;
  }
  const held = applyToStep(execution, stepId, "human_needed", now);
  return applyToStep(held, stepId, event, now, { error });
}

function afterOutcome(
  execution: Execution,
  { stepId, status }: StepState,
  { status: decision, choice, reason }: Approval,
  now: number,
): Execution {
  if (status !== "outcome_unknown") return execution;
  switch (decision) {
    case "approved":
      return applyToStep(
        execution,
        stepId,
        choice?.answer === "repeat" ? "reopened" : "confirmed",
        now,
      );
    case "rejected":
      return recordInStep(execution, stepId, "failed", now, reason);
    // The outcome is still unknown: the next attempt at the call requests an approval again.
    case "expired":
    case "pending":
    case "superseded":
    case "cancelled":
      return execution;
  }
}

/** Records what a person found out about a call whose answer was lost. */
async function settleLostCall(core: Core, unit: UnitOfWork, approval: Approval): Promise<void> {
  const event = eventOf(approval);
  if (event && approval.executionId === null) {
    return settleLostAgentCall(core, unit, approval, event);
  }
  const lost = await findLostCall(unit, approval);
  if (!lost || lost.status !== "outcome_unknown" || !event) return;
  const settled = await unit.updateToolCall(
    { ...lost, status: nextToolCallStatus(lost.status, event), endedAt: core.clock.now() },
    lost,
  );
  await recordAudit(core, unit, {
    actor: approval.decidedBy ?? "system",
    action: `tool.${event}`,
    subject: lost.id,
    data: { approvalId: approval.id, taskId: lost.taskId, executionId: lost.executionId },
  });
  await emitToolCall(core, unit, settled);
}

function eventOf({ status, choice }: Approval): ToolCallEvent | undefined {
  if (status === "rejected") return "denied";
  if (status !== "approved") return undefined;
  return choice?.answer === "repeat" ? "denied" : "confirmed";
}
