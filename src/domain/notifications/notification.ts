import type { AgentId, TaskId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";

export const NOTIFICATION_STATUSES = ["pending", "announced", "read", "cleared"] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

export const NOTIFICATION_EVENTS = ["announced", "read", "reopened", "cleared"] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/**
 * A notification for an agent. `announced`: the line about it was on a tool response; it is
 * repeated until the agent has read the notification. `cleared`: the agent reported or
 * ended, or a newer stop notification replaced this one.
 */
export const NOTIFICATION_TRANSITIONS: Transitions<NotificationStatus, NotificationEvent> = {
  pending: { announced: "announced", read: "read", cleared: "cleared" },
  announced: { announced: "announced", read: "read", cleared: "cleared" },
  // The daemon died, so the answer with this notification may not have arrived.
  read: { read: "read", reopened: "pending", cleared: "cleared" },
  cleared: {},
};

export function nextNotificationStatus(
  status: NotificationStatus,
  event: NotificationEvent,
): NotificationStatus {
  return nextState(NOTIFICATION_TRANSITIONS, { en: "The notification", ja: "通知" }, status, event);
}

export const NOTIFICATION_TYPES = ["message", "blocked", "cancelled", "replan"] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/**
 * Why a notification was cleared. `reported`: the agent reported its result. `ended`: the agent
 * ended without a report. `replaced`: a newer stop notification took its place.
 */
export const CLEAR_REASONS = ["reported", "ended", "replaced"] as const;
export type ClearReason = (typeof CLEAR_REASONS)[number];

export type NotificationId = `ntf-${string}`;

export type Notification = {
  readonly id: NotificationId;
  readonly agentId: AgentId;
  readonly type: NotificationType;
  readonly status: NotificationStatus;
  readonly text: string;
  /** The task that was blocked or cancelled; null unless this is a stop notification. */
  readonly taskId: TaskId | null;
  /** The sender, as a text for the agent. */
  readonly from: string;
  readonly createdAt: number;
  /** When the line about it was first on a tool response. */
  readonly announcedAt: number | null;
  readonly readAt: number | null;
  /** null until the notification is cleared. */
  readonly clearReason: ClearReason | null;
  readonly version: number;
};

/**
 * Agents are instructed to act on exactly this sentence, so it is removed from texts of upstream
 * servers.
 */
export const NOTIFICATION_LINE = "通知があります。get_notificationsを呼び出して確認してください。";

/** The types of stop notifications: while one is open, its agent may begin nothing. */
export const STOP_TYPES = ["blocked", "cancelled"] as const satisfies readonly NotificationType[];

export function isStopNotification({ type }: Pick<Notification, "type">): boolean {
  return type === "blocked" || type === "cancelled";
}
