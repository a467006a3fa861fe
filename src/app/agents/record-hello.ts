import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";

/**
 * Remembers that an agent has connected to our MCP server. Returns at once: if it cannot be stored,
 * the agent's next request records it.
 */
export function noteHello(core: Core, agent: Agent): void {
  if (agent.runner === "rehearsal" || agent.helloAt !== null) return;
  recordHello(core, agent.id).catch((error: unknown) => {
    core.log.debug("The connection of an agent could not be recorded yet.", {
      agentId: agent.id,
      error: String(error),
    });
  });
}

export async function recordHello(core: Core, agentId: AgentId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(agentId);
    if (!agent || agent.helloAt !== null || isSettled(agent)) return;
    const now = core.clock.now();
    await unit.updateAgent({ ...agent, helloAt: now, degraded: null }, agent);
    if (agent.degraded === null) return;
    await unit.emit({
      type: "agent:connected",
      groupId: agent.groupId,
      agentId,
      taskId: agent.taskId,
      data: { taskId: agent.taskId },
      at: now,
    });
  });
}
