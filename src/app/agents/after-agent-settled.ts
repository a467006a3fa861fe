import { closeAgentApprovals } from "../approvals/close-agent-approvals.ts";
import type { Core } from "../core.ts";
import { advanceStage } from "../groups/advance-stage.ts";
import { stopDescendants } from "../groups/stop-group.ts";

/**
 * May open the next stage, stops the agents of an orchestrator and continues the task. All of it is
 * idempotent, and a restarted daemon does it again (resume-groups).
 */
export async function afterAgentSettled(core: Core, agentId: string): Promise<void> {
  const agent = await core.store.getAgent(agentId);
  if (!agent) return;
  if (agent.executionId === null) await closeAgentApprovals(core, agent.id);
  if (agent.stageIndex != null) await advanceStage(core, agent.groupId);
  if (agent.slot === "orchestrator") await stopDescendants(core, agent.groupId);
  if (agent.taskId != null) await core.advanceTask(agent.taskId);
}
