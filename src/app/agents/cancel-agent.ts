import { isSettled, type Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import type { Core, Identity } from "../core.ts";
import { requireOwnAgent } from "../groups/require-own-tree.ts";
import { stopDescendants } from "../groups/stop-group.ts";
import { requireAgent } from "./require-agent.ts";
import { stopAgent } from "./stop-agent.ts";

export type AgentCancelled = {
  readonly agent: Agent;
  /** The agents that are stopped with it. */
  readonly descendants: readonly AgentId[];
};

/** Stops an agent; with an orchestrator, all agents that work for it. */
export async function cancelAgent(
  core: Core,
  identity: Identity,
  agentId: string,
): Promise<AgentCancelled> {
  const agent = await requireAgent(core.store, agentId);
  await requireOwnAgent(core.store, identity, agent);
  if (isSettled(agent)) {
    throw new Refusal("AGENT_ALREADY_ENDED", {
      en: [
        `Agent ${agent.id} has already ended (${agent.status}).`,
        "get_agent_status shows its result.",
      ],
      ja: [
        `エージェント ${agent.id} はすでに終わっています（${statusInJapanese(agent.status)}）。`,
        "結果は get_agent_status で確かめられます。",
      ],
    });
  }
  await stopAgent(core, agent.id, "cancelled");
  const descendants =
    agent.slot === "orchestrator" ? await stopDescendants(core, agent.groupId) : [];
  return { agent: (await core.store.getAgent(agent.id)) ?? agent, descendants };
}
