import type { TaskId } from "../ids.ts";
import { isStopNotification, type Notification, type NotificationType } from "./notification.ts";

/** What an agent reads about its task: exactly the texts of the specification. */
export type StatusChange = {
  readonly type: "status_change";
  readonly action: "blocked" | "cancelled";
  readonly task_id: TaskId;
  readonly message: string;
  readonly instruction: string;
  /** A person's reason, if there is one: not an instruction of ours. */
  readonly reason?: string;
};

export type MessageContent = {
  readonly id: Notification["id"];
  readonly type: Exclude<NotificationType, StatusChange["action"]>;
  readonly text: string;
  readonly from: string;
  readonly createdAt: number;
};

export type NotificationContent = StatusChange | MessageContent;

export function contentOf(notification: Notification): NotificationContent {
  const { id, type, text, from, createdAt, taskId } = notification;
  if (type === "message" || type === "replan") return { id, type, text, from, createdAt };
  // Only a change of a task's status creates a stop notification.
  if (taskId === null) throw new Error(`The ${type} notification ${id} names no task.`);
  return {
    type: "status_change",
    action: type,
    task_id: taskId,
    message: `タスクのステータスが${type}に変更されました`,
    instruction: `作業を中断し、report_completedをresult='${type}'で呼び出してください`,
    ...(text === "" ? {} : { reason: text }),
  };
}

/**
 * Unread notifications, and stop notifications that were read and not answered; once each, oldest
 * first.
 */
export function unansweredNotifications(
  open: readonly Notification[],
  stops: readonly Notification[],
): readonly Notification[] {
  const unread = new Set(open.map(({ id }) => id));
  const again = stops.filter((each) => isStopNotification(each) && !unread.has(each.id));
  return [...open, ...again].toSorted((a, b) => a.createdAt - b.createdAt);
}
