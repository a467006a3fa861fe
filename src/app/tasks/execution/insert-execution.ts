import { carryOver } from "../../../domain/tasks/carry-over.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import type { Task, TaskEvent } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { moveTask } from "../move-task.ts";
import { emitExecution } from "./execution-event.ts";

/**
 * Queues the next execution of the task's newest process, keeps the steps that are done, and applies
 * `event` to the task. advanceExecution starts the executor after the commit.
 */
export async function insertExecution(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  event: Extract<TaskEvent, "process_approved" | "unblocked" | "retried">,
  changes: Partial<Task> = {},
): Promise<Task> {
  const process = await unit.getProcessDraft(task.processId ?? "");
  if (!process) throw new Error(`${task.id} has no approved process to carry out.`);
  const earlier = await unit.listExecutions(task.id);
  const previous = earlier.findLast(({ processId }) => processId === process.id);
  const now = core.clock.now();
  const execution: Execution = {
    id: `exe-${core.random.ulid(now)}`,
    taskId: task.id,
    processId: process.id,
    attempt: (earlier.at(-1)?.attempt ?? 0) + 1,
    status: "queued",
    agentId: null,
    agentIds: [],
    steps: carryOver(process.steps, previous),
    namedStepId: null,
    stopFor: null,
    summary: null,
    response: null,
    error: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    version: 1,
  };
  await unit.insertExecution(execution);
  await emitExecution(core, unit, "execution:created", execution);
  return moveTask(core, unit, task, event, {
    failure: null,
    ...changes,
    executionId: execution.id,
  });
}
