import {
  nextToolCallStatus,
  type AgentCall,
  type ToolCall,
  type ToolCallEvent,
} from "../../domain/gateway/tool-call.ts";
import { applyToExecution, applyToStep, type Execution } from "../../domain/tasks/execution.ts";
import { answerStep, recordInStep, stateOf } from "../../domain/tasks/step-progress.ts";
import { askOutcomeIn } from "../approvals/outcome-approval.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { toolCallEventIn, updateExecutionIn } from "../tasks/execution/execution-event.ts";

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
};

/** Stores the end of a forwarded call and moves its step; asks a person if the outcome is unknown. */
export async function recordAnswerIn(
  core: Core,
  unit: UnitOfWork,
  id: ToolCall["id"],
  end: CallEnd,
): Promise<StoredEvent[]> {
  const call = await unit.getToolCall(id);
  const execution = await unit.getExecution(call?.executionId ?? "");
  if (!call || !execution || call.status !== "forwarded") return [];
  const ended = await unit.updateToolCall(endCall(core, call, end), call);
  if (end.isUnsent) await releaseIn(unit, call);
  const told = await toolCallEventIn(core, unit, ended);
  const asked = end.event === "answer_lost" ? await askIn(core, unit, execution, ended) : [];
  const moved = await moveStepIn(core, unit, execution, ended, asked.length > 0);
  return [told, ...asked, ...moved];
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
export async function releaseIn(unit: UnitOfWork, { approvalId }: AgentCall): Promise<void> {
  const approval = approvalId === null ? undefined : await unit.getApproval(approvalId);
  if (approval) await unit.updateApproval({ ...approval, usedAt: null }, approval);
}

/** The task is finished; don't ask about the lost call. */
async function askIn(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  call: ToolCall,
): Promise<readonly StoredEvent[]> {
  const task = await unit.getTask(execution.taskId);
  if (!task || task.status === "cancelled" || task.status === "completed") return [];
  return (await askOutcomeIn(core, unit, execution, call)).events;
}

async function moveStepIn(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  call: ToolCall,
  isAsked: boolean,
): Promise<StoredEvent[]> {
  const now = core.clock.now();
  const stepped = afterCall(execution, call, await hasOthersIn(unit, call), now);
  const next =
    isAsked && execution.status === "running"
      ? applyToExecution(stepped, "human_needed", now)
      : stepped;
  if (next === execution) return [];
  return [(await updateExecutionIn(core, unit, next, execution)).event];
}

/** Other calls of the same step are in flight. Reads all forwarded calls, which are always few. */
export async function hasOthersIn(unit: UnitOfWork, call: ToolCall): Promise<boolean> {
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
