import { isSettled, type Agent, type StopReason } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { settleUnstartedIn } from "./settle-unstarted.ts";

/** Ends an agent for a reason that is stored first, so a restarted daemon goes on with the stop. */
export async function stopAgent(core: Core, agentId: AgentId, reason: StopReason): Promise<void> {
  const stop = await core.store.transaction((unit) => stopAgentIn(core, unit, agentId, reason));
  afterStop(core, stop);
}

export type Stop = {
  /** Whose process is to be ended once this is committed. */
  readonly live: Agent | undefined;
  readonly events: readonly StoredEvent[];
};

/** One transaction: between two of them the dispatcher could start what is settled here. */
export async function stopAgentIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  agentId: AgentId,
  reason: StopReason,
): Promise<Stop> {
  const found = await unit.getAgent(agentId);
  if (!found || isSettled(found)) return { live: undefined, events: [] };
  if (found.process === "waiting") {
    const why = "Cancelled before it started.";
    const settled = await settleUnstartedIn(unit, agentId, "cancelled", why, core.clock.now());
    return { live: undefined, events: settled };
  }
  if (found.stopReason !== null) return { live: found, events: [] };
  return { live: await unit.updateAgent({ ...found, stopReason: reason }, found), events: [] };
}

export function afterStop(core: Core, { live, events }: Stop): void {
  core.live.publish(events);
  if (live) core.supervisor.stop(live.id, signalFor(core, live));
}

export function signalFor(core: Core, agent: Agent): "SIGTERM" | "SIGINT" {
  return core.runners.get(agent.runner)?.stopSignal ?? "SIGTERM";
}
