import type { Agent } from "../domain/agent.ts";
import type { AgentResult } from "../domain/result.ts";
import type { Core } from "./core.ts";
import { agentNotFound } from "./report-result.ts";

export type AgentStatusView = {
  readonly agent: Agent;
  readonly toolCallCount: number;
  readonly result: AgentResult | null;
};

/** One agent without its stream: the main agent's context stays small (seed 2.2.6). */
export async function getAgentStatus(core: Core, agentId: string): Promise<AgentStatusView> {
  const agent = await core.store.getAgent(agentId);
  if (!agent) throw agentNotFound(agentId);
  const progress = await core.store.getProgress(agent.id);
  const result = await core.store.getResult(agent.id);
  return { agent, toolCallCount: progress.toolCallCount, result: result ?? null };
}
