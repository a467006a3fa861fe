import { nextState, type Transitions } from "./transition.ts";

export const NOTIFICATION_STATUSES = ["pending", "announced", "read", "cleared"] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

export const NOTIFICATION_EVENTS = ["announced", "read", "cleared"] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/**
 * A notice for an agent. `announced`: the line was on a tool response; it is repeated until the
 * agent has read it. `cleared`: the agent reported, or was stopped at the deadline.
 */
export const NOTIFICATION_TRANSITIONS: Transitions<NotificationStatus, NotificationEvent> = {
  pending: { announced: "announced", read: "read", cleared: "cleared" },
  announced: { announced: "announced", read: "read", cleared: "cleared" },
  read: { read: "read", cleared: "cleared" },
  cleared: {},
};

export function nextNotificationStatus(
  status: NotificationStatus,
  event: NotificationEvent,
): NotificationStatus {
  return nextState(NOTIFICATION_TRANSITIONS, "The notification", status, event);
}
