import type { Agent } from "../../domain/agents/agent.ts";
import { degradedMessage, isHelloDue, type DegradedReason } from "../../domain/agents/degraded.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** Shows an agent as degraded, until it connects to our MCP server. */
export async function degradeAgent(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  agent: Agent,
  reason: DegradedReason,
): Promise<void> {
  // What the CLI itself says is more exact, so it replaces the other reason.
  const isKnown = agent.degraded === reason || agent.degraded === "connection-failed";
  if (!isHelloDue(agent) || isKnown) return;
  await unit.updateAgent({ ...agent, degraded: reason }, agent);
  await unit.emit({
    type: "agent:degraded",
    groupId: agent.groupId,
    agentId: agent.id,
    taskId: agent.taskId,
    data: { reason, message: degradedMessage(agent.runner, reason), taskId: agent.taskId },
    at: core.clock.now(),
  });
}
