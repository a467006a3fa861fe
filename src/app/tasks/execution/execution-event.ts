import { isoOrNull } from "../../../contract/shapes/iso.ts";
import type { ToolCall } from "../../../domain/gateway/tool-call.ts";
import type { Execution, StepState } from "../../../domain/tasks/execution.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";

/** The state of an execution and its steps. */
export async function emitExecution(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  type: "execution:created" | "execution:updated",
  execution: Execution,
): Promise<void> {
  const { id, taskId, agentId, attempt, status, steps } = execution;
  await unit.emit({
    type,
    groupId: null,
    agentId,
    taskId,
    data: { taskId, executionId: id, attempt, status, agentId, steps: steps.map(wireTimes) },
    at: core.clock.now(),
  });
}

/** Times as REST has them. */
function wireTimes(step: StepState) {
  return { ...step, startedAt: isoOrNull(step.startedAt), endedAt: isoOrNull(step.endedAt) };
}

/** Writes an execution and its event. */
export async function saveExecution(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  next: Execution,
  expected: Execution,
): Promise<Execution> {
  const execution = await unit.updateExecution(next, expected);
  await emitExecution(core, unit, "execution:updated", execution);
  return execution;
}

/** The state of a call; its answer is not in it. */
export async function emitToolCall(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  call: ToolCall,
): Promise<void> {
  const { id, taskId, executionId, agentId, stepId, server, tool, status, error } = call;
  await unit.emit({
    type: "execution:tool_call",
    groupId: null,
    agentId,
    taskId,
    data: { taskId, executionId, callId: id, agentId, stepId, server, tool, status, error },
    at: core.clock.now(),
  });
}
