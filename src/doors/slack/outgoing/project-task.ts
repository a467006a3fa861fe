import { taskValue } from "../button-values.ts";
import { cardKey, desiredCard, type DesiredMessage } from "./desired-message.ts";
import { projectAsks } from "./project-asks.ts";
import { projectDrafts } from "./project-drafts.ts";
import { projectExecution } from "./project-execution.ts";
import { taskCardView, type TaskProjection } from "./task-context.ts";

/**
 * All messages of a task as they should look now, in the order of the thread: Task, Prompt, Process
 * and Execution card, then what people are asked. Depends on nothing but its arguments, so that the
 * same state always gives the same messages.
 */
export function projectTask(projection: TaskProjection): readonly DesiredMessage[] {
  return [
    taskCard(projection),
    ...projectDrafts(projection, "prompt"),
    ...projectDrafts(projection, "process"),
    ...projectExecution(projection),
    ...projectAsks(projection),
  ];
}

function taskCard(projection: TaskProjection): DesiredMessage {
  const { task } = projection.view;
  const shown = taskCardView(projection);
  const key = cardKey(task.id, "task", 1);
  if (task.status === "cancelled") {
    return desiredCard(key, "final", "taskCancelled", {
      ...shown,
      title: task.title,
      taskId: task.id,
      by: projection.context.person(task.statusBy),
      reason: task.statusReason,
      cancelledAt: task.endedAt ?? task.updatedAt,
    });
  }
  if (task.status === "failed" && task.failure?.stage === "analysis") {
    return desiredCard(key, "final", "taskFailed", {
      ...shown,
      error: task.failure.message,
      taskId: task.id,
      retryValue: taskValue(task.id),
      failedAt: task.endedAt ?? task.updatedAt,
    });
  }
  if (task.status === "analyzing") return desiredCard(key, "progress", "taskGenerating", shown);
  const isDone = task.status === "completed";
  return desiredCard(key, isDone ? "final" : "progress", "taskComplete", {
    ...shown,
    title: task.title ?? task.request,
    description: task.description ?? "",
    priority: task.priority,
    type: task.type ?? "",
    taskId: task.id,
    ...(!isDone && { cancelValue: taskValue(task.id) }),
  });
}
