import type { Notification } from "../../domain/notifications/notification.ts";
import type { DomainEvent } from "../ports/store.ts";

export type NotificationNews =
  | "created"
  | "announced"
  | "read"
  | "reopened"
  /** The agent did not obey in time and is stopped by force. */
  | "expired"
  | "cleared";

export function notificationEvent(
  { id, agentId, taskId, type, from }: Notification,
  news: NotificationNews,
  at: number,
): DomainEvent {
  return {
    type: `notification:${news}`,
    groupId: null,
    agentId,
    taskId,
    data: { notificationId: id, agentId, taskId, type, from },
    at,
  };
}

/** Says why it was cleared, so that no page has to guess whether the agent reported. */
export function clearedEvent(notification: Notification, at: number): DomainEvent {
  const { clearReason, readAt } = notification;
  const event = notificationEvent(notification, "cleared", at);
  return { ...event, data: { ...event.data, clearReason, wasRead: readAt !== null } };
}
