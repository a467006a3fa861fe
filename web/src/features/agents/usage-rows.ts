import type { AnswerOf } from "../../api/http.ts";
import { tokensOf } from "../../live/tokens.ts";
import { type Amount, amountsOf } from "../../text/amounts.ts";

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

export function keyOf({ role, runner, model, reportedModel, reason, currency }: UsageRow): string {
  return [role, runner, model, reportedModel, reason, currency].join("\n");
}

/** `default` stands for the model that the CLI chose. */
export function modelOf({ model, reportedModel }: Pick<UsageRow, "model" | "reportedModel">) {
  return model === "default" ? (reportedModel ?? model) : model;
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
  /** One per currency. */
  readonly amounts: readonly Amount[];
  /** True if some rows have no price or no usage. */
  readonly isPartial: boolean;
};

/** null if no cost is known. */
export function sumOf(rows: readonly UsageRow[]): CostSum | null {
  const amounts = amountsOf(rows);
  if (amounts.length === 0) return null;
  return { amounts, isPartial: rows.some(({ cost }) => cost === null) };
}

/** False for agents whose CLI reported nothing. */
export function isUsed(row: Parameters<typeof tokensOf>[0] & Pick<UsageRow, "cost">): boolean {
  return tokensOf(row) > 0 || row.cost !== null;
}
