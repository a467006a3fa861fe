import { isSettled } from "../../domain/agents/agent.ts";
import { isOver } from "../../domain/tasks/execution.ts";
import type { Core } from "../core.ts";
import { stopAgent } from "./stop-agent.ts";

/** After a restart: stops agents of ended executions that the previous daemon had not stopped yet. */
export async function stopOrphanedAgents(core: Core): Promise<void> {
  const waiting = await core.store.listWaitingAgents("worker", null, []);
  for (const agent of [...(await core.store.listLiveAgents()), ...waiting]) {
    if (agent.executionId === null || isSettled(agent)) continue;
    const execution = await core.store.getExecution(agent.executionId);
    // An executor that has reported gets time to exit; its deadline is watched elsewhere.
    if (!execution || !isOver(execution) || execution.agentIds.includes(agent.id)) continue;
    await stopAgent(core, agent.id, "cancelled");
  }
}
