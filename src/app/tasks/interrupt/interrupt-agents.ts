import type { Agent } from "../../../domain/agents/agent.ts";
import type { AgentId, TaskId } from "../../../domain/ids.ts";
import type { Notification, STOP_TYPES } from "../../../domain/notifications/notification.ts";
import { stopAgentIn } from "../../agents/stop-agent.ts";
import type { Core } from "../../core.ts";
import type { CallInFlight } from "../../gateway/calls-in-flight.ts";
import { clearIn } from "../../notifications/clear-notifications.ts";
import { notifyAgentIn } from "../../notifications/notify-agent.ts";
import type { Queries, StoredEvent, UnitOfWork } from "../../ports/store.ts";

export type Interrupt = {
  readonly as: (typeof STOP_TYPES)[number];
  /** Id of the person. */
  readonly by: string;
  readonly reason: string | null;
};

/** Whom a stop of the task concerns. */
export type Concerned = {
  /** Every agent that is not settled, descendants included: they all work for the same task. */
  readonly agents: readonly Agent[];
  /** What they have had forwarded and not heard of yet. */
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
    // One that was entered and not committed yet will find the stop and is never forwarded.
    if ((await queries.getToolCall(call.id))?.status === "forwarded") calls.push(call);
  }
  return { agents, calls };
}

/** What is left to do once the transaction is committed. */
export type AgentsInterrupted = {
  readonly events: readonly StoredEvent[];
  /** Their deadlines begin. */
  readonly notices: readonly Notification[];
  /** Their processes are ended at once. */
  readonly stopped: readonly Agent[];
};

/** Who has not started never will; who runs is told to stop; who only drafts is stopped by force. */
export async function interruptAgentsIn(
  core: Core,
  unit: UnitOfWork,
  agents: readonly Agent[],
  interrupt: Interrupt & { readonly taskId: TaskId },
): Promise<AgentsInterrupted> {
  const events: StoredEvent[] = [];
  const notices: Notification[] = [];
  const stopped: Agent[] = [];
  for (const agent of laterStagesFirst(agents)) {
    const isDrafting = interrupt.as === "cancelled" && agent.executionId === null;
    if (agent.process === "waiting" || isDrafting) {
      const stop = await stopAgentIn(core, unit, agent.id, "cancelled");
      events.push(...stop.events);
      if (stop.live) stopped.push(stop.live);
    } else {
      const told = await tellIn(core, unit, agent.id, interrupt);
      events.push(...told.events);
      notices.push(told.notice);
    }
  }
  return { events, notices, stopped };
}

/** One stop at a time: a cancelled task is no longer only blocked. */
async function tellIn(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  { taskId, as, by, reason }: Interrupt & { readonly taskId: TaskId },
): Promise<{ readonly notice: Notification; readonly events: readonly StoredEvent[] }> {
  const known = await unit.listStopNotices(agentId);
  const same = known.find(({ type }) => type === as);
  if (same) return { notice: same, events: [] };
  const cleared = await clearIn(unit, known, "replaced", core.clock.now());
  const { notification, event } = await notifyAgentIn(core, unit, {
    agentId,
    type: as,
    text: reason ?? "",
    from: by,
    taskId,
  });
  return { notice: notification, events: [...cleared, event] };
}

/** As in a stop of a group: nobody who watches sees an earlier stage end and a later one still wait. */
function laterStagesFirst(agents: readonly Agent[]): readonly Agent[] {
  return agents.toSorted((a, b) => (b.stageIndex ?? 0) - (a.stageIndex ?? 0));
}
