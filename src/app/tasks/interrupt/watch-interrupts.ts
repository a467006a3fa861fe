import { isSettled } from "../../../domain/agents/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Notification } from "../../../domain/notifications/notification.ts";
import { requestAgentStop } from "../../agents/stop-agent.ts";
import type { Core } from "../../core.ts";
import { notificationEvent } from "../../notifications/notification-event.ts";
import { recordAudit } from "../../people/audit.ts";
import type { UnitOfWork } from "../../ports/store.ts";

const RETRY_MS = 1_000;

/** Hard stop: stops an agent that has not reported in time after its stop notification. */
export function watchInterrupt(core: Core, { agentId, createdAt }: Notification): void {
  const { hardStopAfterMs } = core.settings.interrupt;
  if (hardStopAfterMs === 0) return;
  core.deadlines.set(agentId, "interrupt", createdAt + hardStopAfterMs, () =>
    hardStopSoon(core, agentId),
  );
}

/** After a restart the deadline still counts from the time of the stop notification. */
export async function watchInterrupts(core: Core): Promise<void> {
  for (const notification of await core.store.listAllStopNotifications()) {
    watchInterrupt(core, notification);
  }
}

function hardStopSoon(core: Core, agentId: AgentId): void {
  hardStop(core, agentId).catch((error: unknown) => {
    core.log.error("The hard stop of an agent failed; retrying.", {
      agentId,
      error: String(error),
    });
    core.deadlines.set(agentId, "interrupt again", core.clock.now() + RETRY_MS, () =>
      hardStopSoon(core, agentId),
    );
  });
}

async function hardStop(core: Core, agentId: AgentId): Promise<void> {
  await core.store.transaction((unit) => recordHardStop(core, unit, agentId));
}

/**
 * The stop notifications stay open until the process is gone: while the stop ladder runs, no call of
 * the agent may be forwarded. The transaction that records the agent's end clears them.
 */
async function recordHardStop(core: Core, unit: UnitOfWork, agentId: AgentId): Promise<void> {
  const stopNotifications = await unit.listStopNotifications(agentId);
  const agent = await unit.getAgent(agentId);
  const isHandled = !agent || isSettled(agent) || agent.stopReason !== null;
  if (isHandled || stopNotifications.length === 0) return;
  await requestAgentStop(core, unit, agentId, "interrupted");
  const now = core.clock.now();
  for (const notification of stopNotifications) {
    await unit.emit(notificationEvent(notification, "notification:expired", now));
  }
  await recordAudit(core, unit, {
    actor: "system",
    action: "agent.hard_stopped",
    subject: agentId,
    data: {
      taskId: agent.taskId,
      afterMs: core.settings.interrupt.hardStopAfterMs,
      notifications: stopNotifications.map(({ id, type, status }) => ({ id, type, status })),
    },
  });
}
