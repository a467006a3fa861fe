import type { Agent } from "../../../domain/agents/agent.ts";
import type { AgentId, TaskId } from "../../../domain/ids.ts";
import type { Notification, STOP_TYPES } from "../../../domain/notifications/notification.ts";
import { requestAgentStop } from "../../agents/stop-agent.ts";
import type { Core } from "../../core.ts";
import type { CallInFlight } from "../../gateway/calls-in-flight.ts";
import { clearNotifications } from "../../notifications/clear-notifications.ts";
import { notifyAgent } from "../../notifications/notify-agent.ts";
import type { Queries, UnitOfWork } from "../../ports/store.ts";
import { watchInterrupt } from "./watch-interrupts.ts";

export type Interrupt = {
  readonly as: (typeof STOP_TYPES)[number];
  /** Id of the person who interrupted the task. */
  readonly by: string;
  readonly reason: string | null;
};

/** What an interrupt of the task affects. */
export type Affected = {
  /** Every agent of the task that is not settled, sub-agents included. */
  readonly agents: readonly Agent[];
  /** Forwarded calls of these agents that have no answer yet. */
  readonly calls: readonly CallInFlight[];
};

export const NONE_AFFECTED: Affected = { agents: [], calls: [] };

export async function findAffected(
  core: Pick<Core, "calls">,
  queries: Pick<Queries, "listUnsettledTaskAgents" | "getToolCall">,
  taskId: TaskId,
): Promise<Affected> {
  const agents = await queries.listUnsettledTaskAgents(taskId);
  const calls: CallInFlight[] = [];
  for (const call of core.calls.ofAgents(new Set(agents.map(({ id }) => id)))) {
    // A call whose intent is not committed yet will see the interrupt and is never forwarded.
    if ((await queries.getToolCall(call.id))?.status === "forwarded") calls.push(call);
  }
  return { agents, calls };
}

/**
 * Settles agents that have not started, sends a stop notification to running agents, and stops the
 * drafting agents of a cancelled task at once.
 */
export async function interruptAgents(
  core: Core,
  unit: UnitOfWork,
  agents: readonly Agent[],
  interrupt: Interrupt & { readonly taskId: TaskId },
): Promise<void> {
  for (const agent of laterStagesFirst(agents)) {
    const isDrafting = interrupt.as === "cancelled" && agent.executionId === null;
    if (agent.process === "waiting" || isDrafting) {
      await requestAgentStop(core, unit, agent.id, "cancelled");
    } else {
      const notification = await notifyStop(core, unit, agent.id, interrupt);
      unit.afterCommit(() => watchInterrupt(core, notification));
    }
  }
}

/** An agent has one open stop notification at a time: a cancellation replaces a block. */
async function notifyStop(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  { taskId, as, by, reason }: Interrupt & { readonly taskId: TaskId },
): Promise<Notification> {
  const open = await unit.listStopNotifications(agentId);
  const same = open.find(({ type }) => type === as);
  if (same) return same;
  await clearNotifications(unit, open, "replaced", core.clock.now());
  return notifyAgent(core, unit, { agentId, type: as, text: reason ?? "", from: by, taskId });
}

/** Later stages first: otherwise the end of an earlier stage would start the next one. */
function laterStagesFirst(agents: readonly Agent[]): readonly Agent[] {
  return agents.toSorted((a, b) => (b.stageIndex ?? 0) - (a.stageIndex ?? 0));
}
