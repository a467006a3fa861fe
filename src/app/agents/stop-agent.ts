import { isSettled, type Agent, type StopReason } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { settleUnstarted } from "./settle-unstarted.ts";

/** Stops an agent. The reason is stored first, so that a restarted daemon continues the stop. */
export async function stopAgent(core: Core, agentId: AgentId, reason: StopReason): Promise<void> {
  await core.store.transaction((unit) => requestAgentStop(core, unit, agentId, reason));
}

/**
 * Settles an agent that has not started; stops the process of any other after the commit. One
 * transaction: between two of them the dispatcher could start an agent that is settled here.
 */
export async function requestAgentStop(
  core: Core,
  unit: UnitOfWork,
  agentId: AgentId,
  reason: StopReason,
): Promise<void> {
  const found = await unit.getAgent(agentId);
  if (!found || isSettled(found)) return;
  // Its process is gone, so there is nothing to stop: its change is being captured.
  if (found.process === "capturing") return;
  if (found.process === "waiting") {
    return settleUnstarted(core, unit, agentId, "cancelled", "Cancelled before it started.");
  }
  if (found.stopReason === null) await unit.updateAgent({ ...found, stopReason: reason }, found);
  unit.afterCommit(() => core.supervisor.stop(agentId, signalFor(core, found)));
}

export function signalFor(core: Core, agent: Agent): "SIGTERM" | "SIGINT" {
  return core.runners.get(agent.runner)?.stopSignal ?? "SIGTERM";
}
