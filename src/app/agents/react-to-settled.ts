import { retryUntilDone } from "../../base/retry-until-done.ts";
import type { AgentId } from "../../domain/ids.ts";
import { closeAgentApprovals } from "../approvals/close-agent-approvals.ts";
import type { Core } from "../core.ts";
import { advanceStage } from "../groups/advance-stage.ts";
import { stopDescendants } from "../groups/stop-group.ts";

/**
 * Reacts to a settled agent: every server frees its slot and keys; one may open the next stage, stops the agents of an
 * orchestrator and continues the task. All of it is idempotent, and a restarted daemon does it again
 * (resume-groups), so a crash after the commit loses nothing.
 */
export function reactToSettled(core: Core): () => void {
  function forget(agentId: AgentId): void {
    core.deadlines.clear(agentId);
    core.clientKeys.forget(agentId);
    core.calls.forget(agentId);
    // The caller is gone; without this its open calls would not be shown as lost.
    for (const { abort } of core.calls.ofAgents(new Set([agentId]))) abort.abort();
  }
  async function react(agentId: AgentId): Promise<void> {
    const agent = await core.store.getAgent(agentId);
    if (agent?.executionId === null) await closeAgentApprovals(core, agentId);
    if (agent?.stageIndex != null) await advanceStage(core, agent.groupId);
    if (agent?.slot === "orchestrator") await stopDescendants(core, agent.groupId);
    if (agent?.taskId != null) core.advanceSoon(agent.taskId);
  }
  function reactUntilDone(agentId: AgentId): void {
    void retryUntilDone(
      () => react(agentId),
      (error) =>
        core.log.error("Could not react to an agent's end; trying again.", {
          agentId,
          error: String(error),
        }),
    );
  }
  const subscriptions = [
    core.events.on(["agent:completed"], ({ agentId }) => {
      forget(agentId);
      core.dispatchSoon();
    }),
    core.events.onOwn(["agent:completed"], ({ agentId }) => reactUntilDone(agentId)),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}
