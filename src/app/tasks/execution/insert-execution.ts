import { carryOver } from "../../../domain/tasks/carry-over.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import type { Task, TaskEvent } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { moveTaskIn } from "../move-task.ts";
import { executionEventIn } from "./execution-event.ts";

/**
 * The next attempt at the task's newest process, queued; what earlier attempts did stays done.
 * Also moves the task by `event` (process_approved, unblocked, retried). Nothing is started here:
 * advanceExecution does that after the commit.
 */
export async function insertExecutionIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  event: Extract<TaskEvent, "process_approved" | "unblocked" | "retried">,
  changes: Partial<Task> = {},
): Promise<{ readonly task: Task; readonly events: StoredEvent[] }> {
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
  const created = await executionEventIn(core, unit, "created", execution);
  const moved = await moveTaskIn(core, unit, task, event, {
    failure: null,
    ...changes,
    executionId: execution.id,
  });
  return { task: moved.task, events: [created, moved.event] };
}
