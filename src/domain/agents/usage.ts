import type { Agent } from "./agent.ts";
import type { AgentResult } from "./result.ts";

/**
 * What a settled agent adds to the usage of its day (UTC). An agent without figures counts as one
 * agent.
 */
export function usageOf(agent: Agent, result: AgentResult, now: number) {
  return {
    day: new Date(now).toISOString().slice(0, 10),
    runner: agent.runner,
    model: agent.model,
    role: agent.role,
    agents: 1,
    inputTokens: result.usage?.inputTokens ?? 0,
    outputTokens: result.usage?.outputTokens ?? 0,
    cacheReadTokens: result.usage?.cacheReadTokens ?? 0,
    cacheWriteTokens: result.usage?.cacheWriteTokens ?? 0,
  };
}
