import type { AgentId } from "../domain/ids.ts";
import { nextNotificationStatus } from "../domain/notification.ts";
import type { Core } from "./core.ts";

/** The agent has ended: what it did not read is nobody's to read any more, and its sender can see so. */
export async function clearNotifications(core: Core, agentId: AgentId): Promise<void> {
  if ((await core.store.listOpenNotifications(agentId)).length === 0) return;
  const now = core.clock.now();
  const events = await core.store.transaction(async (unit) => {
    const stored = [];
    for (const open of await unit.listOpenNotifications(agentId)) {
      const status = nextNotificationStatus(open.status, "cleared");
      await unit.updateNotification({ ...open, status }, open);
      const data = { notificationId: open.id, type: open.type };
      const event = { type: "notification:cleared", groupId: null, agentId, data, at: now };
      stored.push(await unit.appendEvent(event));
    }
    return stored;
  });
  core.live.publish(events);
}
