import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core, Identity } from "../core.ts";
import { visibleGroups } from "../groups/visible-groups.ts";
import { agentNotFound } from "./require-agent.ts";

/** The agent whose conversation a caller wants to continue with this role, or a refusal. */
export async function requireResumable(
  core: Core,
  identity: Identity,
  agentId: string,
  role: Role,
): Promise<Agent> {
  const agent = await core.store.getAgent(agentId);
  const groups = await visibleGroups(core, identity);
  if (!agent || groups?.has(agent.groupId) === false) throw agentNotFound(agentId);
  if (!isSettled(agent)) {
    throw notResumable(
      `Agent ${agent.id} has not ended yet, so its conversation cannot be continued.`,
      "Wait for it with wait_agent, or reach it now with send_message.",
    );
  }
  if ((await core.store.getProgress(agent.id)).sessionId === null) {
    throw notResumable(
      `Agent ${agent.id} has no conversation to continue: its CLI reported none.`,
      "Leave resumeAgentId out, and put what the new agent must know into its prompt.",
    );
  }
  if (role.runner !== "auto" && ![role.runner].flat().includes(agent.runner)) {
    throw notResumable(
      `Role ${role.id} runs with ${[role.runner].flat().join(", ")}, but ${agent.runner} made the conversation of agent ${agent.id}.`,
      `Use a role that runs with ${agent.runner}, such as ${agent.role}, or leave resumeAgentId out.`,
    );
  }
  return agent;
}

/** Checked in the transaction that inserts the new agent. */
export function conversationInUse(agent: Agent): Refusal {
  return notResumable(
    `Another agent is continuing the conversation of agent ${agent.id} already.`,
    "Wait for that agent with wait_agent, then name it in resumeAgentId; list_agents shows it.",
  );
}

function notResumable(message: string, hint: string): Refusal {
  return new Refusal("AGENT_NOT_RESUMABLE", message, hint);
}
