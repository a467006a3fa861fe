import { useQuery } from "@tanstack/react-query";
import { get } from "../../api/http.ts";

export type UsageRow = {
  readonly runner: string;
  readonly model: string;
  readonly role: string;
  readonly agents: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cost: number | null;
  readonly currency: string;
  readonly reason: "no price" | "no usage" | null;
};

/** What the task's own group has used so far. */
export function useTaskCost(groupId: string) {
  return useQuery({
    queryKey: ["group", groupId],
    queryFn: ({ signal }) =>
      get<{ readonly usage: readonly UsageRow[] }>(
        `/api/groups/${encodeURIComponent(groupId)}`,
        signal,
      ),
  });
}

export type CostSum = {
  readonly cost: number;
  readonly currency: string;
  /** Some of it has no price or no usage. */
  readonly isPartial: boolean;
};

/** null: nothing is known. A sum that is not complete says so. */
export function sumOf(rows: readonly UsageRow[]): CostSum | null {
  const known = rows.flatMap(({ cost, currency }) => (cost === null ? [] : [{ cost, currency }]));
  const [first] = known;
  if (!first) return null;
  return {
    cost: known.reduce((sum, { cost }) => sum + cost, 0),
    currency: first.currency,
    isPartial: known.length < rows.length,
  };
}
