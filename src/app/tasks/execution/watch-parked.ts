import { isSettled } from "../../../domain/agents/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { isOver } from "../../../domain/tasks/execution.ts";
import { requestAgentStop } from "../../agents/stop-agent.ts";
import type { Core } from "../../core.ts";

/** Stops a parked executor that does not end: it keeps its slot and the next one cannot start. */
export function watchParked(core: Core, agentId: AgentId): void {
  core.deadlines.set(agentId, "parked", core.clock.now() + core.settings.lingerMs, () => {
    stopIfParked(core, agentId).catch((error: unknown) => {
      core.log.error("Stopping a parked executor failed; retrying.", {
        agentId,
        error: String(error),
      });
      watchParked(core, agentId);
    });
  });
}

/** One transaction: between two of them the executor could come back with a call. */
async function stopIfParked(core: Core, agentId: AgentId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(agentId);
    if (!agent || isSettled(agent)) return;
    const execution = await unit.getExecution(agent.executionId ?? "");
    // Not parked any more: a person has decided, or the execution is over.
    if (!execution || isOver(execution) || execution.agentId !== null) return;
    if (execution.agentIds.at(-1) === agentId) {
      await requestAgentStop(core, unit, agentId, "lingered");
    }
  });
}
