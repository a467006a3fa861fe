import type { TaskId } from "../ids.ts";
import { isStopNotification, type Notification, type NotificationType } from "./notification.ts";

/** What an agent is told of its task: the words of the use case, exactly. */
export type StatusChange = {
  readonly type: "status_change";
  readonly action: "blocked" | "cancelled";
  readonly task_id: TaskId;
  readonly message: string;
  readonly instruction: string;
  /** What a person said about it, if anything: not an instruction of ours. */
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
  // Only made by a change of a task's status.
  if (taskId === null) throw new Error(`The ${type} notice ${id} names no task.`);
  return {
    type: "status_change",
    action: type,
    task_id: taskId,
    message: `タスクのステータスが${type}に変更されました`,
    instruction: `作業を中断し、report_completedをresult='${type}'で呼び出してください`,
    ...(text === "" ? {} : { reason: text }),
  };
}

/** Once each, oldest first: the unread ones, and stops that were read and are not done yet. */
export function unansweredNotifications(
  open: readonly Notification[],
  stops: readonly Notification[],
): readonly Notification[] {
  const unread = new Set(open.map(({ id }) => id));
  const again = stops.filter((notice) => isStopNotification(notice) && !unread.has(notice.id));
  return [...open, ...again].toSorted((a, b) => a.createdAt - b.createdAt);
}
