import { isSettled } from "../../domain/agents/agent.ts";
import {
  isStopNotification,
  nextNotificationStatus,
  type Notification,
} from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import { clearNotifications } from "./clear-notifications.ts";
import { notificationEvent } from "./notification-event.ts";

/** How long before its end the earlier daemon may have begun an answer that did not arrive. */
const UNDER_WAY_MS = 10_000;
/** More than an agent can read in that time. */
const NEWEST = 100;

/**
 * Before the doors open: it is not known whether the last answers of the earlier daemon arrived.
 * Delivers stops again to agents that still run, and messages that were read in its last moments:
 * twice is better than never. Clears stops of agents that have ended. Safe to repeat.
 */
export async function redeliverNotifications(core: Core): Promise<void> {
  await core.store.transaction(async (unit) => {
    await settleStops(core, unit);
    await reopenMessages(core, unit);
  });
}

async function settleStops(core: Core, unit: UnitOfWork): Promise<void> {
  for (const notice of await unit.listAllStopNotifications()) {
    const agent = await unit.getAgent(notice.agentId);
    if (!agent || isSettled(agent)) {
      const reason = agent?.status === "resultReported" ? "reported" : "ended";
      await clearNotifications(unit, [notice], reason, core.clock.now());
    } else if (notice.status === "read") await reopen(core, unit, notice);
  }
}

async function reopenMessages(core: Core, unit: UnitOfWork): Promise<void> {
  const since = (await lastSign(unit)) - UNDER_WAY_MS;
  for (const { id } of await unit.listLiveAgents()) {
    const notices = await unit.listNotifications(id, NEWEST);
    for (const notice of notices.toReversed()) {
      if (isStopNotification(notice) || notice.status !== "read") continue;
      if ((notice.readAt ?? 0) >= since) await reopen(core, unit, notice);
    }
  }
}

/** When the earlier daemon last wrote an event; how long it has been away does not matter. */
async function lastSign(queries: Pick<Queries, "lastEventSeq" | "listEvents">): Promise<number> {
  const [event] = await queries.listEvents((await queries.lastEventSeq()) - 1, 1);
  return event?.at ?? 0;
}

async function reopen(core: Core, unit: UnitOfWork, notice: Notification): Promise<void> {
  const status = nextNotificationStatus(notice.status, "reopened");
  await unit.updateNotification({ ...notice, status, readAt: null }, notice);
  await unit.emit(notificationEvent(notice, "notification:reopened", core.clock.now()));
}
