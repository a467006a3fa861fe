import type { Agent } from "./agent.ts";
import { reportedCost } from "./cost.ts";
import type { AgentResult } from "./result.ts";
import type { Usage } from "./runner.ts";

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
    reportedModel: result.reportedModel ?? null,
    costUsd: reportedCost(result.costUsd ?? null),
    agents: 1,
    inputTokens: result.usage?.inputTokens ?? 0,
    outputTokens: result.usage?.outputTokens ?? 0,
    cacheReadTokens: result.usage?.cacheReadTokens ?? 0,
    cacheWriteTokens: result.usage?.cacheWriteTokens ?? 0,
  };
}

export function addUsage(one: Usage, other: Usage): Usage {
  return combine(one, other, (a, b) => a + b);
}

/** A CLI may report any number, and the store counts whole tokens. */
export function wholeUsage(usage: Usage): Usage {
  return combine(usage, usage, Math.round);
}

/** Never below 0: a CLI may count anew after it has compacted a conversation. */
export function subtractUsage(total: Usage, before: Usage): Usage {
  return combine(total, before, (a, b) => Math.max(0, a - b));
}

function combine(one: Usage, other: Usage, by: (a: number, b: number) => number): Usage {
  return {
    inputTokens: by(one.inputTokens, other.inputTokens),
    outputTokens: by(one.outputTokens, other.outputTokens),
    cacheReadTokens: by(one.cacheReadTokens, other.cacheReadTokens),
    cacheWriteTokens: by(one.cacheWriteTokens, other.cacheWriteTokens),
  };
}
