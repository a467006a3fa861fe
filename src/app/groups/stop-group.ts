import type { Group } from "../../domain/groups/group.ts";
import type { AgentId, GroupId } from "../../domain/ids.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import type { Core } from "../core.ts";
import { descendantsOf } from "./descendants-of.ts";
import { requireGroup } from "./require-group.ts";

/** Stops every agent of a group and of the groups below it; returns their ids. */
export async function stopGroup(core: Core, groupId: string): Promise<readonly AgentId[]> {
  const group = await requireGroup(core.store, groupId);
  return stopAll(core, [group, ...(await descendantsOf(core, group.id))]);
}

/** Stops the agents of an orchestrator that has ended or is being stopped. */
export async function stopDescendants(core: Core, groupId: GroupId): Promise<readonly AgentId[]> {
  return stopAll(core, await descendantsOf(core, groupId));
}

/** Later stages first: stopping an earlier stage would otherwise start them. */
async function stopAll(core: Core, groups: readonly Group[]): Promise<readonly AgentId[]> {
  const stopped: AgentId[] = [];
  for (const group of groups) {
    const agents = [...(await core.store.listUnsettledAgents(group.id))];
    agents.sort((a, b) => (b.stageIndex ?? 0) - (a.stageIndex ?? 0));
    for (const agent of agents) {
      await stopAgent(core, agent.id, "cancelled");
      stopped.push(agent.id);
    }
  }
  return stopped;
}
