import type { AgentId } from "../../domain/ids.ts";
import { noticeOf, type Notice } from "../../domain/notifications/notice.ts";
import { nextNotificationStatus } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { StoredEvent } from "../ports/store.ts";
import { listUncleared } from "./clear-notifications.ts";
import { notificationEvent } from "./notification-event.ts";

/**
 * The agent reads its notices; from now on tool responses no longer mention them. A stop is told
 * again with every reading until it is cleared: an agent that asks twice must not hear "nothing".
 */
export async function getNotifications(core: Core, agentId: AgentId): Promise<readonly Notice[]> {
  const now = core.clock.now();
  const { notices, events } = await core.store.transaction(async (unit) => {
    const stored: StoredEvent[] = [];
    const told = await listUncleared(unit, agentId);
    for (const each of told) {
      if (each.status === "read") continue;
      const status = nextNotificationStatus(each.status, "read");
      await unit.updateNotification({ ...each, status, readAt: now }, each);
      stored.push(await unit.appendEvent(notificationEvent(each, "read", now)));
    }
    return { notices: told.map(noticeOf), events: stored };
  });
  core.live.publish(events);
  return notices;
}
