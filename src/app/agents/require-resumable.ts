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
    throw notResumable({
      en: [
        `Agent ${agent.id} has not ended yet, so its conversation cannot be continued.`,
        "Wait for it with wait_agent, or reach it now with send_message.",
      ],
      ja: [
        `エージェント ${agent.id} はまだ終わっていないので、会話を続けられません。`,
        "wait_agent で待つか、send_message で今伝えてください。",
      ],
    });
  }
  if ((await core.store.getProgress(agent.id)).sessionId === null) {
    throw notResumable({
      en: [
        `Agent ${agent.id} has no conversation to continue: its CLI reported none.`,
        "Leave resumeAgentId out, and put what the new agent must know into its prompt.",
      ],
      ja: [
        `エージェント ${agent.id} には続けられる会話がありません。CLI が会話を示しませんでした。`,
        "resumeAgentId を省き、新しいエージェントに必要なことをプロンプトに書いてください。",
      ],
    });
  }
  if (role.runner !== "auto" && ![role.runner].flat().includes(agent.runner)) {
    throw notResumable({
      en: [
        `Role ${role.id} runs with ${[role.runner].flat().join(", ")}, but ${agent.runner} made the conversation of agent ${agent.id}.`,
        `Use a role that runs with ${agent.runner}, such as ${agent.role}, or leave resumeAgentId out.`,
      ],
      ja: [
        `職種 ${role.id} は ${[role.runner].flat().join(", ")} で動きますが、エージェント ${agent.id} の会話は ${agent.runner} のものです。`,
        `${agent.role} など ${agent.runner} で動く職種を使うか、resumeAgentId を省いてください。`,
      ],
    });
  }
  return agent;
}

/** Checked in the transaction that inserts the new agent. */
export function conversationInUse(agent: Agent): Refusal {
  return notResumable({
    en: [
      `Another agent is continuing the conversation of agent ${agent.id} already.`,
      "Wait for that agent with wait_agent, then name it in resumeAgentId; list_agents shows it.",
    ],
    ja: [
      `エージェント ${agent.id} の会話は、すでに別のエージェントが続けています。`,
      "そのエージェントを wait_agent で待ってから、resumeAgentId に指定してください。list_agents で見られます。",
    ],
  });
}

function notResumable(texts: Refusal["texts"]): Refusal {
  return new Refusal("AGENT_NOT_RESUMABLE", texts);
}
