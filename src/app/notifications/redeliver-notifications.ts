import { isSettled } from "../../domain/agents/agent.ts";
import {
  isStopNotice,
  nextNotificationStatus,
  type Notification,
} from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { Queries, StoredEvent, UnitOfWork } from "../ports/store.ts";
import { clearIn } from "./clear-notifications.ts";
import { notificationEvent } from "./notification-event.ts";

/** An answer that was under way when the daemon died was asked for no longer before that. */
const UNDER_WAY_MS = 10_000;
/** Nobody reads more than these in that time. */
const NEWEST = 100;

/**
 * Before the doors open: whether the answer that carried a notice arrived before the daemon died is
 * not known. Stops are told again to whoever still runs; so is a message read in the last moments
 * of the earlier daemon, which may be heard twice but never lost. Stops of agents that have ended
 * are cleared. Doing it twice does no harm.
 */
export async function redeliverNotifications(core: Core): Promise<void> {
  const events = await core.store.transaction(async (unit) => [
    ...(await settleStops(core, unit)),
    ...(await reopenMessages(core, unit)),
  ]);
  core.live.publish(events);
}

async function settleStops(core: Core, unit: UnitOfWork): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (const notice of await unit.listAllStopNotices()) {
    const agent = await unit.getAgent(notice.agentId);
    if (!agent || isSettled(agent)) {
      const reason = agent?.status === "resultReported" ? "reported" : "ended";
      events.push(...(await clearIn(unit, [notice], reason, core.clock.now())));
    } else if (notice.status === "read") events.push(await reopen(core, unit, notice));
  }
  return events;
}

async function reopenMessages(core: Core, unit: UnitOfWork): Promise<StoredEvent[]> {
  const since = (await lastSign(unit)) - UNDER_WAY_MS;
  const events: StoredEvent[] = [];
  for (const { id } of await unit.listLiveAgents()) {
    const notices = await unit.listNotifications(id, NEWEST);
    for (const notice of notices.toReversed()) {
      if (isStopNotice(notice) || notice.status !== "read") continue;
      if ((notice.readAt ?? 0) >= since) events.push(await reopen(core, unit, notice));
    }
  }
  return events;
}

/** When the earlier daemon last wrote something down; how long it has been away does not matter. */
async function lastSign(queries: Pick<Queries, "lastEventSeq" | "listEvents">): Promise<number> {
  const [event] = await queries.listEvents((await queries.lastEventSeq()) - 1, 1);
  return event?.at ?? 0;
}

async function reopen(core: Core, unit: UnitOfWork, notice: Notification): Promise<StoredEvent> {
  const status = nextNotificationStatus(notice.status, "reopened");
  await unit.updateNotification({ ...notice, status, readAt: null }, notice);
  return unit.appendEvent(notificationEvent(notice, "reopened", core.clock.now()));
}
