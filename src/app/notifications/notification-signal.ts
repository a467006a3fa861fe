import type { AgentId } from "../../domain/ids.ts";
import { isStopNotification } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";

/**
 * Calls `notified` when a notice for the agent arrives, so that a call can end its wait. A notice
 * that no answer has mentioned yet counts too, and so does an unread stop. A notice that was read
 * does not: an orchestrator may wait for agents it has stopped.
 */
export function onNotified(
  core: Pick<Core, "events" | "store" | "log">,
  agentId: AgentId,
  notified: () => void,
): () => void {
  // Subscribes before the first look, so that nothing in between is missed.
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
    // The wait goes on: what it waits for matters more than this look.
    log.error("Could not look for notices.", { agentId, error: String(error) });
    return false;
  }
}
