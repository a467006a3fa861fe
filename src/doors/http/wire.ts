import { hasKeys } from "../../app/agents/dispatch-agents.ts";
import { spentBy } from "../../app/agents/spent.ts";
import { previewOf } from "../../app/agents/status-update.ts";
import { toolActivity } from "../../app/agents/tool-activity.ts";
import type { Core } from "../../app/core.ts";
import type { AgentView } from "../../app/ports/store.ts";
import { agentCard, type AgentCard } from "../../contract/shapes/agents.ts";
import type { Agent } from "../../domain/agents/agent.ts";

/** An agent in REST answers and in the live state. */
export function cardOf(core: Core, { agent, ...view }: AgentView): AgentCard {
  const seen = {
    toolCallCount: view.toolCallCount,
    lastMessage: previewOf(view.lastMessage),
    ...toolActivity(view),
    ...spentBy(core, agent, view),
  };
  return { ...agentCard(agent, seen, core.clock.now()), ...waitingFor(core, agent) };
}

function waitingFor(core: Core, agent: Agent): { waitingFor?: string } {
  return agent.status === "queued" && !hasKeys(core, agent) ? { waitingFor: "needs key" } : {};
}
