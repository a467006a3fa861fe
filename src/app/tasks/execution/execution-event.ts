import { isoOrNull } from "../../../contract/shapes/iso.ts";
import type { ToolCall } from "../../../domain/gateway/tool-call.ts";
import type { Execution, StepState } from "../../../domain/tasks/execution.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";

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

/** Times in ISO 8601, as in REST. */
function wireTimes(step: StepState) {
  return { ...step, startedAt: isoOrNull(step.startedAt), endedAt: isoOrNull(step.endedAt) };
}

/** Updates the row and emits `execution:updated`. */
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

/** Leaves the answer out: it can be long. */
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
