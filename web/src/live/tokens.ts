import type { AgentCard } from "../../../src/contract/shapes/agents.ts";

/** The usage an agent's CLI has reported so far. Some CLIs report none. */
export type Tokens = NonNullable<AgentCard["usage"]>;

export function tokensOf(usage: Tokens): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
