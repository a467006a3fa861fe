import type { AgentId, TaskId } from "../../domain/ids.ts";
import type { Notification, NotificationType } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { notificationEvent } from "./notification-event.ts";
import { steerAgent } from "./steer-agent.ts";

export type NewNotification = {
  readonly agentId: AgentId;
  readonly type: NotificationType;
  readonly text: string;
  readonly from: string;
  /** Only a stop notification has one. */
  readonly taskId?: TaskId;
};

/** Stores a notification for an agent; the agent's next tool response announces it. */
export async function notifyAgent(
  core: Core,
  unit: UnitOfWork,
  given: NewNotification,
): Promise<Notification> {
  const now = core.clock.now();
  const notification: Notification = {
    ...given,
    taskId: given.taskId ?? null,
    id: `ntf-${core.random.ulid(now)}`,
    status: "pending",
    createdAt: now,
    announcedAt: null,
    readAt: null,
    clearReason: null,
    version: 1,
  };
  await unit.insertNotification(notification);
  await unit.emit(notificationEvent(notification, "notification:created", now));
  unit.afterCommit(() => steerAgent(core, notification));
  return notification;
}
