import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import {
  nextNotificationStatus,
  type ClearReason,
  type Notification,
} from "../../domain/notifications/notification.ts";
import { unansweredNotifications } from "../../domain/notifications/wire-notification.ts";
import type { Queries, UnitOfWork } from "../ports/store.ts";
import { clearedEvent } from "./notification-event.ts";

/**
 * Clears what an agent can no longer read, in the transaction that settles the agent. Therefore a
 * settled agent never has an open notification, not even after a crash.
 */
export async function clearAtEnd(
  unit: UnitOfWork,
  agent: Pick<Agent, "id" | "reportedAt">,
  now: number,
): Promise<void> {
  const reason = agent.reportedAt === null ? "ended" : "reported";
  await clearAllNotifications(unit, agent.id, reason, now);
}

/** Clears unread notifications, and stop notifications even if they were read. */
export async function clearAllNotifications(
  unit: UnitOfWork,
  agentId: AgentId,
  reason: ClearReason,
  now: number,
): Promise<void> {
  await clearNotifications(unit, await listUncleared(unit, agentId), reason, now);
}

export async function clearNotifications(
  unit: UnitOfWork,
  notifications: readonly Notification[],
  clearReason: ClearReason,
  now: number,
): Promise<void> {
  for (const each of notifications) {
    const status = nextNotificationStatus(each.status, "cleared");
    const cleared = await unit.updateNotification({ ...each, status, clearReason }, each);
    await unit.emit(clearedEvent(cleared, now));
  }
}

export async function listUncleared(
  queries: Pick<Queries, "listOpenNotifications" | "listStopNotifications">,
  agentId: AgentId,
): Promise<readonly Notification[]> {
  return unansweredNotifications(
    await queries.listOpenNotifications(agentId),
    await queries.listStopNotifications(agentId),
  );
}
