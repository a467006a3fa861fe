import type { AgentId } from "../../domain/ids.ts";
import { isStopNotice } from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";

export type NoticeSignal = {
  /** Resolves when the agent should hear something; its next answer then carries the line. */
  readonly promise: Promise<void>;
  stop(): void;
};

/**
 * For calls that wait: a notice for the agent that called ends the wait. Also one that came just
 * before and was not on any answer yet, and a stop it has not read. One that it has read does not:
 * an orchestrator may wait for those it has told to stop.
 */
export function untilNotified(
  core: Pick<Core, "live" | "store" | "log">,
  agentId: AgentId,
): NoticeSignal {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Subscribed before the first look, so that nothing in between is missed.
  const stop = core.live.subscribe((event) => {
    if (event.agentId === agentId && WAKING.includes(event.type)) resolve();
  });
  void hasNews(core, agentId).then((isSo) => isSo && resolve());
  return { promise, stop };
}

const WAKING = ["notification:created", "notification:reopened"];

async function hasNews(
  { store, log }: Pick<Core, "store" | "log">,
  agentId: AgentId,
): Promise<boolean> {
  try {
    const open = await store.listOpenNotifications(agentId);
    return open.some((each) => each.status === "pending" || isStopNotice(each));
  } catch (error) {
    // The wait goes on: whatever it waits for matters more than this look.
    log.error("Could not look for notices.", { agentId, error: String(error) });
    return false;
  }
}
