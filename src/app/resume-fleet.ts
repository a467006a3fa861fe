import { isSettled, type Agent } from "../domain/agent.ts";
import { advanceStage } from "./advance-stage.ts";
import type { Core } from "./core.ts";
import { findMagentic } from "./find-magentic.ts";
import { stopAgent } from "./stop-agent.ts";

const MANY = 100_000;

/** After a start: stages that became due, and agents whose orchestrator ended, while no daemon ran. */
export async function resumeFleet(core: Core): Promise<void> {
  for (const group of await core.store.listGroupsWithHeldAgents()) {
    await advanceStage(core, group.id);
  }
  const waiting = await core.store.listWaitingAgents("worker", MANY, []);
  for (const agent of [...(await core.store.listLiveAgents()), ...waiting]) {
    if (await isForsaken(core, agent)) await stopAgent(core, agent.id, "cancelled");
  }
}

async function isForsaken(core: Core, agent: Agent): Promise<boolean> {
  if (agent.slot === "orchestrator") return false;
  const group = await core.store.getGroup(agent.groupId);
  if (!group?.parentGroupId) return false;
  const root = await findMagentic(core.store, group);
  if (!root?.orchestratorAgentId) return false;
  const orchestrator = await core.store.getAgent(root.orchestratorAgentId);
  return orchestrator !== undefined && isSettled(orchestrator);
}
