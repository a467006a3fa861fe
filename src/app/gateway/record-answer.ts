import {
  nextToolCallStatus,
  type AgentCall,
  type ToolCall,
  type ToolCallEvent,
} from "../../domain/gateway/tool-call.ts";
import { applyToExecution, applyToStep, type Execution } from "../../domain/tasks/execution.ts";
import { answerStep, recordInStep, stateOf } from "../../domain/tasks/step-progress.ts";
import { askOutcome } from "../approvals/outcome-approval.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { emitToolCall, saveExecution } from "../tasks/execution/execution-event.ts";

/** Stored and replayed in place of an answer that was too long. */
export const NOT_KEPT = "It was carried out; its answer was too long to keep.";

/** How a forwarded call ended. */
export type CallEnd = {
  readonly event: Extract<ToolCallEvent, "answered" | "failed" | "cancelled" | "answer_lost">;
  /** JSON; null: none, or too long to store. */
  readonly answer: string | null;
  readonly error: string | null;
  /** The call was not sent, so its approval stays valid. */
  readonly isUnsent?: boolean;
  /** Its caller or a stop has cancelled it. */
  readonly isCancelled?: boolean;
};

/** Stores the end of a forwarded call and moves its step; asks a person if the outcome is unknown. */
export async function recordAnswer(
  core: Core,
  unit: UnitOfWork,
  id: ToolCall["id"],
  end: CallEnd,
): Promise<void> {
  const call = await unit.getToolCall(id);
  const execution = await unit.getExecution(call?.executionId ?? "");
  if (!call || !execution || call.status !== "forwarded") return;
  const ended = await unit.updateToolCall(endCall(core, call, end), call);
  if (end.isUnsent) await releaseApproval(unit, call);
  await emitToolCall(core, unit, ended);
  const isAsked =
    end.event === "answer_lost" && (await askAboutLostCall(core, unit, execution, ended));
  await moveStep(core, unit, execution, ended, isAsked);
}

export function endCall<Call extends AgentCall>(
  { clock }: Pick<Core, "clock">,
  call: Call,
  { event, answer, error }: CallEnd,
): Call {
  const status = nextToolCallStatus(call.status, event);
  return { ...call, status, answer, error, endedAt: clock.now() };
}

/** The call was not sent, so its approval can be used again. */
export async function releaseApproval(unit: UnitOfWork, { approvalId }: AgentCall): Promise<void> {
  const approval = approvalId === null ? undefined : await unit.getApproval(approvalId);
  if (approval) await unit.updateApproval({ ...approval, usedAt: null }, approval);
}

/** The task is finished; don't ask about the lost call. */
async function askAboutLostCall(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  call: ToolCall,
): Promise<boolean> {
  const task = await unit.getTask(execution.taskId);
  if (!task || task.status === "cancelled" || task.status === "completed") return false;
  await askOutcome(core, unit, execution, call);
  return true;
}

async function moveStep(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  call: ToolCall,
  isAsked: boolean,
): Promise<void> {
  const now = core.clock.now();
  const stepped = afterCall(execution, call, await hasOtherCalls(unit, call), now);
  const next =
    isAsked && execution.status === "running"
      ? applyToExecution(stepped, "human_needed", now)
      : stepped;
  if (next !== execution) await saveExecution(core, unit, next, execution);
}

/** Other calls of the same step are in flight. Reads all forwarded calls, which are always few. */
export async function hasOtherCalls(unit: UnitOfWork, call: ToolCall): Promise<boolean> {
  const forwarded = await unit.listForwardedToolCalls();
  return forwarded.some(
    ({ id, executionId, stepId }) =>
      id !== call.id && executionId === call.executionId && stepId === call.stepId,
  );
}

/**
 * The answer completes its step. A step that was ended while the call was in flight still gets the
 * outcome of the call.
 */
function afterCall(
  execution: Execution,
  call: ToolCall,
  hasOthers: boolean,
  now: number,
): Execution {
  const { stepId, status, error } = call;
  const step = stepId === null ? undefined : stateOf(execution, stepId);
  if (!step) return execution;
  const wasEnded = step.status === "outcome_unknown";
  switch (status) {
    case "done":
      if (wasEnded) return applyToStep(execution, step.stepId, "confirmed", now);
      return hasOthers ? execution : answerStep(execution, step.stepId, now);
    case "outcome_unknown":
      return recordInStep(execution, step.stepId, "answer_lost", now, error);
    case "failed":
      return step.status === "running" || step.status === "done" || wasEnded
        ? recordInStep(execution, step.stepId, "failed", now, error)
        : execution;
    case "cancelled":
      return wasEnded ? applyToStep(execution, step.stepId, "reopened", now) : execution;
    case "forwarded":
      return execution;
  }
}
