import type { Agent } from "../../../domain/agents/agent.ts";
import { applyToExecution, isOver, type Execution } from "../../../domain/tasks/execution.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { updateExecutionIn } from "../execution/execution-event.ts";
import { settleExecutionIn } from "../execution/settle-execution.ts";
import type { Interrupt } from "./interrupt-agents.ts";

const NO_WORD = { summary: null, response: null, error: null };

/**
 * The task's newest execution is to end; `agents` are those of the task that are not settled. A
 * queued or parked one has nobody to report for it: it has stopped already.
 */
export async function interruptExecutionIn(
  core: Core,
  unit: UnitOfWork,
  { executionId }: Pick<Task, "executionId">,
  agents: readonly Agent[],
  as: Interrupt["as"],
): Promise<readonly StoredEvent[]> {
  const execution = executionId === null ? undefined : await unit.getExecution(executionId);
  if (!execution || isOver(execution)) return [];
  const hasExecutor = agents.some(
    ({ id, process }) => id === execution.agentId && process !== "waiting",
  );
  if (execution.status === "queued" || !hasExecutor) {
    const told = { ...execution, stopFor: as };
    return (await settleExecutionIn(core, unit, told, as, NO_WORD)).events;
  }
  const next = stopping(execution, as, core.clock.now());
  return [(await updateExecutionIn(core, unit, next, execution)).event];
}

function stopping(execution: Execution, as: Interrupt["as"], now: number): Execution {
  return execution.status === "stopping"
    ? { ...execution, stopFor: as }
    : applyToExecution(execution, "stop_requested", now, { stopFor: as });
}
