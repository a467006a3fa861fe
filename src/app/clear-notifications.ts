import type { AgentId } from "../domain/ids.ts";
import { noticesToTell } from "../domain/notice.ts";
import { nextNotificationStatus, type Notification } from "../domain/notification.ts";
import type { Core } from "./core.ts";
import { notificationEvent } from "./notification-event.ts";
import type { Queries, StoredEvent, UnitOfWork } from "./ports/store.ts";

/** The agent has ended: what it did not read is nobody's to read any more, and its sender can see so. */
export async function clearNotifications(core: Core, agentId: AgentId): Promise<void> {
  if ((await listUncleared(core.store, agentId)).length === 0) return;
  core.live.publish(
    await core.store.transaction((unit) => clearNotificationsIn(core, unit, agentId)),
  );
}

/** Its unread notices, and the stops it has obeyed. Publish the events after the commit. */
export async function clearNotificationsIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  agentId: AgentId,
): Promise<StoredEvent[]> {
  return clearIn(core, unit, await listUncleared(unit, agentId));
}

export async function clearIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  notifications: readonly Notification[],
): Promise<StoredEvent[]> {
  const now = core.clock.now();
  const events: StoredEvent[] = [];
  for (const each of notifications) {
    const status = nextNotificationStatus(each.status, "cleared");
    await unit.updateNotification({ ...each, status }, each);
    events.push(await unit.appendEvent(notificationEvent(each, "cleared", now)));
  }
  return events;
}

export async function listUncleared(
  queries: Pick<Queries, "listOpenNotifications" | "listStopNotices">,
  agentId: AgentId,
): Promise<readonly Notification[]> {
  return noticesToTell(
    await queries.listOpenNotifications(agentId),
    await queries.listStopNotices(agentId),
  );
}
