import type { AgentId, TaskId } from "../../domain/ids.ts";
import type { Notification, NotificationType } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { notificationEvent } from "./notification-event.ts";

export type Notice = {
  readonly agentId: AgentId;
  readonly type: NotificationType;
  readonly text: string;
  readonly from: string;
  /** Of a stop notice. */
  readonly taskId?: TaskId;
};

export type Notified = { readonly notification: Notification; readonly event: StoredEvent };

/** Leaves a notice for an agent; it hears of it on its next tool call. */
export async function notifyAgentIn(
  core: Core,
  unit: UnitOfWork,
  notice: Notice,
): Promise<Notified> {
  const now = core.clock.now();
  const notification: Notification = {
    ...notice,
    taskId: notice.taskId ?? null,
    id: `ntf-${core.random.ulid(now)}`,
    status: "pending",
    createdAt: now,
    announcedAt: null,
    readAt: null,
    clearReason: null,
    version: 1,
  };
  await unit.insertNotification(notification);
  const event = await unit.appendEvent(notificationEvent(notification, "created", now));
  return { notification, event };
}
