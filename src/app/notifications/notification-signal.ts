import type { AgentId } from "../../domain/ids.ts";
import { isStopNotification } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";

/**
 * Calls `notified` when a notification for the agent arrives, so that a call can end its wait, and
 * at once if one is not announced yet or a stop notification is unread. Read notifications don't
 * count: an orchestrator may wait for agents it has stopped.
 */
export function onNotified(
  core: Pick<Core, "events" | "store" | "log">,
  agentId: AgentId,
  notified: () => void,
): () => void {
  // Subscribe before the first read, so that no event in between is missed.
  const stop = core.events.on(["notification:created", "notification:reopened"], (event) => {
    if (event.agentId === agentId) notified();
  });
  void hasNews(core, agentId).then((isSo) => isSo && notified());
  return stop;
}

async function hasNews(
  { store, log }: Pick<Core, "store" | "log">,
  agentId: AgentId,
): Promise<boolean> {
  try {
    const open = await store.listOpenNotifications(agentId);
    return open.some((each) => each.status === "pending" || isStopNotification(each));
  } catch (error) {
    // Continue the wait: its own condition matters more than this check.
    log.error("Could not read the notifications of an agent.", { agentId, error: String(error) });
    return false;
  }
}
