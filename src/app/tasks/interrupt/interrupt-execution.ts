import type { Agent } from "../../../domain/agents/agent.ts";
import { applyToExecution, isOver, type Execution } from "../../../domain/tasks/execution.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { saveExecution } from "../execution/execution-event.ts";
import { settleExecution } from "../execution/settle-execution.ts";
import type { Interrupt } from "./interrupt-agents.ts";

const NO_REPORT = { summary: null, response: null, error: null };

/**
 * Interrupts the task's newest execution; `agents` are the task's agents that are not settled. A
 * queued or parked execution has no agent that could report, so it is settled at once.
 */
export async function interruptExecution(
  core: Core,
  unit: UnitOfWork,
  { executionId }: Pick<Task, "executionId">,
  agents: readonly Agent[],
  as: Interrupt["as"],
): Promise<void> {
  const execution = executionId === null ? undefined : await unit.getExecution(executionId);
  if (!execution || isOver(execution)) return;
  const hasExecutor = agents.some(
    ({ id, process }) => id === execution.agentId && process !== "waiting",
  );
  if (execution.status === "queued" || !hasExecutor) {
    await settleExecution(core, unit, { ...execution, stopFor: as }, as, NO_REPORT);
    return;
  }
  const next = stopping(execution, as, core.clock.now());
  await saveExecution(core, unit, next, execution);
}

function stopping(execution: Execution, as: Interrupt["as"], now: number): Execution {
  return execution.status === "stopping"
    ? { ...execution, stopFor: as }
    : applyToExecution(execution, "stop_requested", now, { stopFor: as });
}
