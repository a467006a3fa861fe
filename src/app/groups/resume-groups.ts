import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { GroupId } from "../../domain/ids.ts";
import { closeOrphanedApprovals } from "../approvals/close-agent-approvals.ts";
import type { Core } from "../core.ts";
import { releaseStage } from "../workspaces/ask-about-stage.ts";
import { advanceStage } from "./advance-stage.ts";
import { findMagentic } from "./find-magentic.ts";
import { stopDescendants } from "./stop-group.ts";

/**
 * After a restart: opens stages that are due, stops agents whose orchestrator has ended and closes
 * approvals whose agent has ended.
 */
export async function resumeGroups(core: Core): Promise<void> {
  await closeOrphanedApprovals(core);
  for (const group of await core.store.listUnfinishedPlans()) {
    await advanceStage(core, group.id);
    // A person may have answered a question about the stage just before the daemon died.
    await releaseStage(core, group.id);
  }
  const waiting = await core.store.listWaitingAgents("worker", null, []);
  for (const agent of [...(await core.store.listLiveAgents()), ...waiting]) {
    const root = await orphanedRootOf(core, agent);
    // Stop the whole group, later stages first: stopping only these would open the later stages.
    if (root) await stopDescendants(core, root);
  }
}

async function orphanedRootOf(core: Core, agent: Agent): Promise<GroupId | undefined> {
  if (agent.slot === "orchestrator") return undefined;
  const group = await core.store.getGroup(agent.groupId);
  if (!group?.parentGroupId) return undefined;
  const root = await findMagentic(core.store, group);
  if (!root?.orchestratorAgentId) return undefined;
  const orchestrator = await core.store.getAgent(root.orchestratorAgentId);
  return orchestrator && isSettled(orchestrator) ? root.id : undefined;
}
