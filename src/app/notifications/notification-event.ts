import type { EventOf } from "../../contract/events/events.ts";
import type { Notification } from "../../domain/notifications/notification.ts";

type NotificationEvent =
  `notification:${"created" | "announced" | "read" | "reopened" | "expired"}`;

export function notificationEvent(
  notification: Notification,
  type: NotificationEvent,
  at: number,
): EventOf<NotificationEvent> {
  return { type, ...factsOf(notification), at };
}

/** Contains the reason, so that the dashboard need not guess whether the agent reported. */
export function clearedEvent(
  notification: Notification,
  at: number,
): EventOf<"notification:cleared"> {
  const { clearReason, readAt } = notification;
  const { data, ...ids } = factsOf(notification);
  return {
    type: "notification:cleared",
    ...ids,
    data: { ...data, clearReason, wasRead: readAt !== null },
    at,
  };
}

function factsOf({ id, agentId, taskId, type, from }: Notification) {
  return {
    groupId: null,
    agentId,
    taskId,
    data: { notificationId: id, agentId, taskId, type, from },
  };
}
