import type { Notification } from "../domain/notification.ts";
import type { DomainEvent } from "./ports/store.ts";

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
