import type { AgentId } from "../../domain/ids.ts";
import {
  nextNotificationStatus,
  NOTIFICATION_LINE,
} from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import { notificationEvent } from "./notification-event.ts";

/**
 * The line on every tool response to an agent with unread notifications. Only the first
 * announcement of a notification writes to the store.
 */
export async function announceNotifications(
  core: Core,
  agentId: AgentId,
): Promise<string | undefined> {
  const open = await core.store.listOpenNotifications(agentId);
  if (open.length === 0) return undefined;
  if (open.some((each) => each.status === "pending")) await markAnnounced(core, agentId);
  return NOTIFICATION_LINE;
}

async function markAnnounced(core: Core, agentId: AgentId): Promise<void> {
  const now = core.clock.now();
  await core.store.transaction(async (unit) => {
    for (const each of await unit.listOpenNotifications(agentId)) {
      if (each.status !== "pending") continue;
      const status = nextNotificationStatus(each.status, "announced");
      await unit.updateNotification({ ...each, status, announcedAt: now }, each);
      await unit.emit(notificationEvent(each, "notification:announced", now));
    }
  });
}
