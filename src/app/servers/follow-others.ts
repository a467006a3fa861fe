import { runFresh } from "../../base/run-fresh.ts";
import type { AppEvent } from "../../contract/events/events.ts";
import { signalFor } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";
import { steerAgent } from "../notifications/steer-agent.ts";
import { watchInterrupt } from "../tasks/interrupt/watch-interrupts.ts";

/** A request to stop an agent is in its row and may come without an event. */
const LOOK_EVERY_MS = 1_000;

/**
 * Carries out for the agents of this server what was decided on other servers: stops them, aborts
 * their calls and passes messages to them. Rows say what to do; events and a clock only wake it.
 */
export function followOthers(core: Core): { stop(): void } {
  const { serverId } = core;
  if (serverId === null) return { stop() {} };
  const report = (error: unknown) =>
    core.log.error("Decisions of other servers could not be carried out yet; trying again.", {
      error: String(error),
    });
  const look = runFresh(() => enforceStops(core, serverId).catch(report));
  const unsubscribe = core.events.onOthers((event) => {
    void look();
    void passOn(core, event).catch(report);
  });
  const unsubscribeLeft = removeSpoolsOfLeft(core, report);
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  timer.unref();
  return {
    stop() {
      unsubscribe();
      unsubscribeLeft();
      clearInterval(timer);
    },
  };
}

/**
 * Another server has deleted the group of these agents and what is stored of them, but their files are
 * here. An event that does not arrive is made up for by the retention of the history.
 */
function removeSpoolsOfLeft(core: Core, onFailed: (error: unknown) => void): () => void {
  return core.events.onAny((event, _id, isOwn) => {
    if (isOwn || event.type !== "agent:left_view") return;
    core.supervisor.removeSpool(event.data.agentIds).catch(onFailed);
  });
}

async function enforceStops(core: Core, serverId: string): Promise<void> {
  const live = await core.store.listLiveAgents(serverId);
  for (const agent of live) {
    if (agent.stopReason !== null) core.supervisor.stop(agent.id, signalFor(core, agent));
  }
  // Agents of any host may call through this server. The cores of its workers leave that to it.
  if (serverId === core.calls.serverId) await abortStopped(core);
}

async function abortStopped({ calls, store }: Core): Promise<void> {
  for (const { agentId, abort } of calls.all()) {
    const stops = await store.listStopNotifications(agentId);
    if (stops.length > 0) abort.abort();
  }
}

async function passOn(core: Core, event: AppEvent): Promise<void> {
  // The leader runs the merge queue, or gives a merge to the server that has the change.
  if (event.type === "merge:updated") core.mergeSoon();
  if (event.type !== "notification:created") return;
  const notification = await core.store.getNotification(event.data.notificationId);
  if (!notification) return;
  const agent = await core.store.getAgent(notification.agentId);
  if (agent?.workerId !== core.serverId) return;
  watchStop(core, notification);
  await steerAgent(core, notification);
}

function watchStop(core: Core, notification: Parameters<typeof watchInterrupt>[1]): void {
  if (notification.type === "blocked" || notification.type === "cancelled") {
    watchInterrupt(core, notification);
  }
}
