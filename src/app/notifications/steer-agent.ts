import type { AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentId } from "../../domain/ids.ts";
import {
  isStopNotification,
  nextNotificationStatus,
  NOTIFICATION_LINE,
  type Notification,
} from "../../domain/notifications/notification.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { notificationEvent } from "./notification-event.ts";

/**
 * Passes a notification to an agent that can take it in the middle of a turn. It stays open, so if
 * this is lost, the agent's next tool response announces it.
 */
export async function steerAgent(core: Core, notification: Notification): Promise<void> {
  const agent = await core.store.getAgent(notification.agentId);
  if (agent?.process !== "alive" || !core.runners.get(agent.runner)?.canSteer) return;
  try {
    const { id } = notification;
    core.supervisor.steer(agent.id, agent.attempt, { id, text: textFor(notification) });
  } catch (error) {
    core.log.warn("A message could not be passed to an agent; its next tool call announces it.", {
      agentId: agent.id,
      error: String(error),
    });
  }
}

/** A stop notification is read and answered with our tools; a message is complete in itself. */
function textFor(notification: Notification): string {
  if (isStopNotification(notification)) return NOTIFICATION_LINE;
  return `【kuromajutsu】${notification.from} からのメッセージです。\n\n${notification.text}`;
}

/** The model has these messages, so tool responses need not announce them. */
export async function recordSteered(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  { steered }: Pick<AgentProgress, "steered">,
): Promise<void> {
  if (steered.length === 0) return;
  const now = core.clock.now();
  for (const each of await unit.listOpenNotifications(agentId)) {
    if (isStopNotification(each) || !steered.includes(each.id)) continue;
    const status = nextNotificationStatus(each.status, "read");
    await unit.updateNotification({ ...each, status, readAt: now }, each);
    await unit.emit(notificationEvent(each, "notification:read", now));
  }
}
