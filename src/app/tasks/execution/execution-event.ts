import { isoOrNull } from "../../../contract/shapes/iso.ts";
import type { ToolCall } from "../../../domain/gateway/tool-call.ts";
import type { Execution, StepState } from "../../../domain/tasks/execution.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";

/** How an execution and its steps stand, told in the same transaction as the change. */
export function executionEventIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  name: "created" | "updated",
  execution: Execution,
): Promise<StoredEvent> {
  const { id, taskId, agentId, attempt, status, steps } = execution;
  return unit.appendEvent({
    type: `execution:${name}`,
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

/** Writes an execution and tells of it. */
export async function updateExecutionIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  next: Execution,
  expected: Execution,
): Promise<{ readonly execution: Execution; readonly event: StoredEvent }> {
  const execution = await unit.updateExecution(next, expected);
  return { execution, event: await executionEventIn(core, unit, "updated", execution) };
}

/** What has become of a call; the answer itself is asked for. */
export function toolCallEventIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  call: ToolCall,
): Promise<StoredEvent> {
  const { id, taskId, executionId, agentId, stepId, server, tool, status, error } = call;
  return unit.appendEvent({
    type: "execution:tool_call",
    groupId: null,
    agentId,
    taskId,
    data: { taskId, executionId, callId: id, agentId, stepId, server, tool, status, error },
    at: core.clock.now(),
  });
}
