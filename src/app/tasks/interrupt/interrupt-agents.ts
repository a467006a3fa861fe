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
  /** Id of the person. */
  readonly by: string;
  readonly reason: string | null;
};

/** What a stop of the task affects. */
export type Concerned = {
  /** Every agent that is not settled, descendants included: they all work for the same task. */
  readonly agents: readonly Agent[];
  /** Their forwarded calls that have no answer yet. */
  readonly calls: readonly CallInFlight[];
};

export const NOBODY: Concerned = { agents: [], calls: [] };

export async function findConcerned(
  core: Pick<Core, "calls">,
  queries: Pick<Queries, "listUnsettledTaskAgents" | "getToolCall">,
  taskId: TaskId,
): Promise<Concerned> {
  const agents = await queries.listUnsettledTaskAgents(taskId);
  const calls: CallInFlight[] = [];
  for (const call of core.calls.ofAgents(new Set(agents.map(({ id }) => id)))) {
    // A call whose intent is not committed yet will see the stop and is never forwarded.
    if ((await queries.getToolCall(call.id))?.status === "forwarded") calls.push(call);
  }
  return { agents, calls };
}

/**
 * Agents that have not started are settled, running agents get a notice to stop, and the drafting
 * agents of a cancelled task are stopped by force.
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
      const notice = await notifyStop(core, unit, agent.id, interrupt);
      unit.afterCommit(() => watchInterrupt(core, notice));
    }
  }
}

/** An agent has one open stop at a time: a cancellation replaces a block. */
async function notifyStop(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  { taskId, as, by, reason }: Interrupt & { readonly taskId: TaskId },
): Promise<Notification> {
  const known = await unit.listStopNotifications(agentId);
  const same = known.find(({ type }) => type === as);
  if (same) return same;
  await clearNotifications(unit, known, "replaced", core.clock.now());
  return notifyAgent(core, unit, { agentId, type: as, text: reason ?? "", from: by, taskId });
}

/** As in a stop of a group: a later stage must not look due because an earlier one has ended. */
function laterStagesFirst(agents: readonly Agent[]): readonly Agent[] {
  return agents.toSorted((a, b) => (b.stageIndex ?? 0) - (a.stageIndex ?? 0));
}
