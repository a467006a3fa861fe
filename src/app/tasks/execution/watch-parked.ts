import { isSettled } from "../../../domain/agents/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { isOver } from "../../../domain/tasks/execution.ts";
import { stopAgent } from "../../agents/stop-agent.ts";
import type { Core } from "../../core.ts";

/** An executor that was told to end and stays would keep its slot, and the next one from starting. */
export function watchParked(core: Core, agentId: AgentId): void {
  core.deadlines.set(agentId, "parked", core.clock.now() + core.settings.lingerMs, () => {
    stopIfParked(core, agentId).catch((error: unknown) => {
      core.log.error("A parked agent could not be stopped yet; trying again.", {
        agentId,
        error: String(error),
      });
      watchParked(core, agentId);
    });
  });
}

async function stopIfParked(core: Core, agentId: AgentId): Promise<void> {
  const agent = await core.store.getAgent(agentId);
  if (!agent || isSettled(agent)) return;
  const execution = await core.store.getExecution(agent.executionId ?? "");
  // It came back after the decision and works on.
  if (!execution || isOver(execution) || execution.agentId !== null) return;
  if (execution.agentIds.at(-1) === agentId) await stopAgent(core, agentId, "lingered");
}
