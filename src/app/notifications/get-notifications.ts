import type { AgentId } from "../../domain/ids.ts";
import { nextNotificationStatus } from "../../domain/notifications/notification.ts";
import {
  contentOf,
  type NotificationContent,
} from "../../domain/notifications/wire-notification.ts";
import type { Core } from "../core.ts";
import { listUncleared } from "./clear-notifications.ts";
import { notificationEvent } from "./notification-event.ts";

/**
 * Marks the agent's notifications as read, so that tool responses no longer announce them. Stop
 * notifications are returned until they are cleared: a second call must not get an empty answer.
 */
export async function getNotifications(
  core: Core,
  agentId: AgentId,
): Promise<readonly NotificationContent[]> {
  const now = core.clock.now();
  return core.store.transaction(async (unit) => {
    const notifications = await listUncleared(unit, agentId);
    for (const each of notifications) {
      if (each.status === "read") continue;
      const status = nextNotificationStatus(each.status, "read");
      await unit.updateNotification({ ...each, status, readAt: now }, each);
      await unit.emit(notificationEvent(each, "notification:read", now));
    }
    return notifications.map(contentOf);
  });
}
