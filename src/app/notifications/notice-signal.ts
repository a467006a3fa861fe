import type { AgentId } from "../../domain/ids.ts";
import { isStopNotification } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";

export type NoticeSignal = {
  /** Resolves when a notice waits for the agent; its next answer then carries the line. */
  readonly promise: Promise<void>;
  stop(): void;
};

/**
 * Ends the wait of a call when a notice for its caller arrives, also one that was not mentioned in
 * any answer yet, and a stop that was not read. A notice that was read does not end it: an
 * orchestrator may wait for agents it has stopped.
 */
export function untilNotified(
  core: Pick<Core, "events" | "store" | "log">,
  agentId: AgentId,
): NoticeSignal {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Subscribes before the first look, so that nothing in between is missed.
  const stop = core.events.on(["notification:created", "notification:reopened"], (event) => {
    if (event.agentId === agentId) resolve();
  });
  void hasNews(core, agentId).then((isSo) => isSo && resolve());
  return { promise, stop };
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
