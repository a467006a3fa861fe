import type { AgentCard } from "../../../src/contract/dashboard-shapes.ts";

/** What an agent has used so far, as its CLI told. Not every CLI tells. */
export type Tokens = NonNullable<AgentCard["usage"]>;

export function tokensOf(usage: Tokens): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
