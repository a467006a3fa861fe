import { isSettled, type Agent, type StopReason } from "../domain/agent.ts";
import type { AgentId } from "../domain/ids.ts";
import type { Core } from "./core.ts";
import { settleUnstarted } from "./settle-unstarted.ts";

/** Ends an agent for a reason that is stored first, so a restarted daemon goes on with the stop. */
export async function stopAgent(core: Core, agentId: AgentId, reason: StopReason): Promise<void> {
  const agent = await core.store.transaction(async (unit) => {
    const found = await unit.getAgent(agentId);
    if (!found || isSettled(found) || found.process === "waiting" || found.stopReason !== null) {
      return found;
    }
    return unit.updateAgent({ ...found, stopReason: reason }, found);
  });
  if (!agent || isSettled(agent)) return;
  if (agent.process === "waiting") {
    await settleUnstarted(core, agentId, "cancelled", "Cancelled before it started.");
    return;
  }
  core.supervisor.stop(agentId, signalFor(core, agent));
}

export function signalFor(core: Core, agent: Agent): "SIGTERM" | "SIGINT" {
  return core.runners.get(agent.runner)?.stopSignal ?? "SIGTERM";
}
