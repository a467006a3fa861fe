import type { AgentId } from "../../domain/ids.ts";
import { closeAgentApprovals } from "../approvals/close-agent-approvals.ts";
import type { Core } from "../core.ts";
import { advanceStage } from "../groups/advance-stage.ts";
import { stopDescendants } from "../groups/stop-group.ts";

const RETRY_MS = 1_000;

/**
 * What follows when an agent is settled: its slot and keys are free, its stage may be over, an
 * orchestrator takes its agents with it, and its task goes on. All of it can be done again, and a restarted daemon
 * does so (resume-fleet), so nothing is lost between the commit and this.
 */
export function reactToSettled(core: Core): () => void {
  async function react(agentId: AgentId): Promise<void> {
    core.deadlines.clear(agentId);
    core.clientKeys.forget(agentId);
    core.calls.forget(agentId);
    // Nobody hears their answers; unanswered they would not show as lost to whoever goes on.
    for (const { abort } of core.calls.ofAgents(new Set([agentId]))) abort.abort();
    const agent = await core.store.getAgent(agentId);
    if (agent?.executionId === null) await closeAgentApprovals(core, agentId);
    if (agent?.stageIndex != null) await advanceStage(core, agent.groupId);
    if (agent?.slot === "orchestrator") await stopDescendants(core, agent.groupId);
    if (agent?.taskId != null) core.advanceSoon(agent.taskId);
    core.dispatchSoon();
  }
  function reactUntilDone(agentId: AgentId): void {
    react(agentId).catch((error: unknown) => {
      core.log.error("Could not go on after an agent's end; trying again.", {
        agentId,
        error: String(error),
      });
      setTimeout(() => reactUntilDone(agentId), RETRY_MS).unref();
    });
  }
  return core.live.subscribe((event) => {
    if (event.type === "agent:completed" && event.agentId) reactUntilDone(event.agentId);
  });
}
