import { useQuery } from "@tanstack/react-query";
import type { AgentCard } from "../../../src/contract/dashboard-shapes.ts";
import type { WireHistoryEntry } from "../../../src/contract/record-shapes.ts";
import { get } from "../api/http.ts";

/** What an agent has used so far, as its CLI told. Not every CLI tells. */
export type Tokens = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
};

/** A card, with what came since the page is open. */
export type LiveAgent = AgentCard & { readonly usage?: Tokens };

export function tokensOf(usage: Tokens): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

const MOST_SETTLED = 200;

/**
 * Of one that ended before the page was opened: from the history, once for all of its group, since
 * what has ended uses nothing more.
 */
export function useSettledTokens({ groupId, agentId }: AgentCard): Tokens | undefined {
  const { data } = useQuery({
    queryKey: ["settled-tokens", groupId],
    queryFn: ({ signal }) => readSettled(groupId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return data?.get(agentId);
}

async function readSettled(
  groupId: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Tokens>> {
  const asked = new URLSearchParams({ groupId, limit: String(MOST_SETTLED) });
  const { entries } = await get<{ readonly entries: readonly WireHistoryEntry[] }>(
    `/api/history?${asked.toString()}`,
    signal,
  );
  return new Map(
    entries.flatMap(({ agentId, usage }) => (usage ? [[agentId, usage] as const] : [])),
  );
}
