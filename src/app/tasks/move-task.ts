import { applyToTask, type Task, type TaskEvent } from "../../domain/tasks/task.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** The only place that changes a task's status: updates the row and emits `task:updated`. */
export async function moveTask(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  task: Task,
  event: TaskEvent,
  changes: Partial<Task> = {},
): Promise<Task> {
  const now = core.clock.now();
  const moved = await unit.updateTask(applyToTask(task, event, now, changes), task);
  await unit.emit({ type: "task:updated", ...taskFacts(moved, now) });
  return moved;
}

/** The fields of every task event; spread them beside `type`. */
export function taskFacts(task: Task, at: number) {
  return {
    groupId: task.groupId,
    agentId: null,
    taskId: task.id,
    data: {
      taskId: task.id,
      status: task.status,
      title: task.title,
      priority: task.priority,
      type: task.type,
      requester: task.requester,
      executionId: task.executionId,
      failure: task.failure,
      version: task.version,
    },
    at,
  };
}
