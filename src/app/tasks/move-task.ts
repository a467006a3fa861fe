import { applyToTask, type Task, type TaskEvent } from "../../domain/tasks/task.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";

export type TaskMoved = { readonly task: Task; readonly event: StoredEvent };

/** The one road of every change of a task's status: the row and `task:updated`, together. */
export async function moveTaskIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  task: Task,
  event: TaskEvent,
  changes: Partial<Task> = {},
): Promise<TaskMoved> {
  const now = core.clock.now();
  const moved = await unit.updateTask(applyToTask(task, event, now, changes), task);
  return { task: moved, event: await unit.appendEvent(taskEvent("task:updated", moved, now)) };
}

export function taskEvent(
  type: `task:${string}`,
  task: Task,
  at: number,
  more: Readonly<Record<string, unknown>> = {},
) {
  return {
    type,
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
      ...more,
    },
    at,
  };
}
