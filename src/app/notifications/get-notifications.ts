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
 * The agent reads its notices; from now on tool responses no longer mention them. A stop is
 * answered again until it is cleared: an agent that asks twice must not get an empty answer.
 */
export async function getNotifications(
  core: Core,
  agentId: AgentId,
): Promise<readonly NotificationContent[]> {
  const now = core.clock.now();
  return core.store.transaction(async (unit) => {
    const notices = await listUncleared(unit, agentId);
    for (const each of notices) {
      if (each.status === "read") continue;
      const status = nextNotificationStatus(each.status, "read");
      await unit.updateNotification({ ...each, status, readAt: now }, each);
      await unit.emit(notificationEvent(each, "notification:read", now));
    }
    return notices.map(contentOf);
  });
}
