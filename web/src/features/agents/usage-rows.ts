import type { AnswerOf } from "../../api/http.ts";

/** Tokens of one role with one model. */
export type UsageRow = AnswerOf<"get", "/api/groups/{id}">["usage"][number];

/** Rows without a cost are kept apart, so that a partial sum does not look complete. */
export function mergeRows(rows: readonly UsageRow[]): readonly UsageRow[] {
  const merged = new Map<string, UsageRow>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = merged.get(key);
    merged.set(key, before ? addRows(before, row) : row);
  }
  return [...merged.values()];
}

export function keyOf({ role, runner, model, reason }: UsageRow): string {
  return [role, runner, model, reason].join("\n");
}

function addRows(one: UsageRow, other: UsageRow): UsageRow {
  return {
    ...one,
    agents: one.agents + other.agents,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  };
}

export type CostSum = {
  readonly cost: number;
  readonly currency: string;
  /** True if some rows have no price or no usage. */
  readonly isPartial: boolean;
};

/** null if no cost is known. */
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
