import type { AgentId } from "../domain/ids.ts";
import { nextNotificationStatus, type Notification } from "../domain/notification.ts";
import type { Core } from "./core.ts";
import type { StoredEvent } from "./ports/store.ts";

/** The agent reads its open notices; from now on tool responses no longer mention them. */
export async function getNotifications(
  core: Core,
  agentId: AgentId,
): Promise<readonly Notification[]> {
  const now = core.clock.now();
  const { read, events } = await core.store.transaction(async (unit) => {
    const taken: Notification[] = [];
    const stored: StoredEvent[] = [];
    for (const open of await unit.listOpenNotifications(agentId)) {
      const status = nextNotificationStatus(open.status, "read");
      taken.push(await unit.updateNotification({ ...open, status, readAt: now }, open));
      stored.push(
        await unit.appendEvent({
          type: "notification:read",
          groupId: null,
          agentId,
          data: { notificationId: open.id, type: open.type },
          at: now,
        }),
      );
    }
    return { read: taken, events: stored };
  });
  core.live.publish(events);
  return read;
}
