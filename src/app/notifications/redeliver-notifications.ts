import { type Agent, isSettled } from "../../domain/agents/agent.ts";
import {
  isStopNotification,
  nextNotificationStatus,
  type Notification,
} from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import { clearNotifications } from "./clear-notifications.ts";
import { notificationEvent } from "./notification-event.ts";

/** An answer that the previous daemon began this long before its end may not have arrived. */
const UNDER_WAY_MS = 10_000;
/** More than an agent can read in that time. */
const NEWEST = 100;

/**
 * Runs before the doors open, because the last answers of the previous daemon may not have arrived.
 * Redelivers stop notifications to running agents, and messages that were read shortly before the
 * end: twice is better than never. Clears stop notifications of ended agents. Idempotent.
 */
export async function redeliverNotifications(core: Core): Promise<void> {
  await core.store.transaction(async (unit) => {
    await settleStops(core, unit);
    await reopenMessages(core, unit);
  });
}

async function settleStops(core: Core, unit: UnitOfWork): Promise<void> {
  for (const { id, agentId } of await unit.listAllStopNotifications()) {
    const agent = await unit.getAgent(agentId);
    // The agent of another server may have read it meanwhile.
    const stop = await unit.getNotification(id);
    if (!stop || stop.status === "cleared") continue;
    if (!agent || isSettled(agent)) {
      const reason = agent?.status === "resultReported" ? "reported" : "ended";
      await clearNotifications(unit, [stop], reason, core.clock.now());
    } else if (stop.status === "read" && isOurs(core, agent)) await reopen(core, unit, stop);
  }
}

/** The agents of another server got their answers from it, and it is not the one that ended. */
function isOurs({ serverId }: Core, { workerId }: Agent): boolean {
  return serverId === null || workerId === serverId;
}

async function reopenMessages(core: Core, unit: UnitOfWork): Promise<void> {
  const since = (await lastSign(unit)) - UNDER_WAY_MS;
  for (const { id } of await unit.listLiveAgents(core.serverId)) {
    const newest = await unit.listNotifications(id, NEWEST);
    for (const each of newest.toReversed()) {
      if (isStopNotification(each) || each.status !== "read") continue;
      if ((each.readAt ?? 0) >= since) await reopen(core, unit, each);
    }
  }
}

/** The time of the last event: how long no daemon ran does not matter. */
async function lastSign(queries: Pick<Queries, "lastEventSeq" | "listEvents">): Promise<number> {
  const [event] = await queries.listEvents((await queries.lastEventSeq()) - 1, 1);
  return event?.at ?? 0;
}

async function reopen(core: Core, unit: UnitOfWork, read: Notification): Promise<void> {
  const status = nextNotificationStatus(read.status, "reopened");
  await unit.updateNotification({ ...read, status, readAt: null }, read);
  await unit.emit(notificationEvent(read, "notification:reopened", core.clock.now()));
}
