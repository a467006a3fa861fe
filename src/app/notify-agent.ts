import type { AgentId } from "../domain/ids.ts";
import type { Notification, NotificationType } from "../domain/notification.ts";
import type { Core } from "./core.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";

export type Notice = {
  readonly agentId: AgentId;
  readonly type: NotificationType;
  readonly text: string;
  readonly from: string;
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
    id: `ntf-${core.random.ulid(now)}`,
    status: "pending",
    createdAt: now,
    announcedAt: null,
    readAt: null,
    version: 1,
  };
  await unit.insertNotification(notification);
  const event = await unit.appendEvent({
    type: "notification:created",
    groupId: null,
    agentId: notice.agentId,
    data: { notificationId: notification.id, type: notice.type, from: notice.from },
    at: now,
  });
  return { notification, event };
}
