import type { WireUsageRow } from "../../../../src/contract/shapes/history.ts";
import { modelOf } from "../../features/agents/usage-rows.ts";
import { tokensOf } from "../../live/tokens.ts";
import { type Amount, amountsOf } from "../../text/amounts.ts";

export const METRICS = ["cost", "tokens"] as const;
export type Metric = (typeof METRICS)[number];
export const BYS = ["model", "role", "runner"] as const;
export type By = (typeof BYS)[number];

export type Sum = {
  readonly agents: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly tokens: number;
  /** One per currency; empty if no cost is known. */
  readonly amounts: readonly Amount[];
  /** True if some rows have no cost, so the sum is partial. */
  readonly isPartly: boolean;
};

export function sumOf(rows: readonly WireUsageRow[]): Sum {
  const add = (valueOf: (row: WireUsageRow) => number) =>
    rows.reduce((sum, row) => sum + valueOf(row), 0);
  return {
    agents: add((row) => row.agents),
    input: add((row) => row.inputTokens),
    output: add((row) => row.outputTokens),
    cacheRead: add((row) => row.cacheReadTokens),
    cacheWrite: add((row) => row.cacheWriteTokens),
    tokens: add(tokensOf),
    amounts: amountsOf(rows),
    isPartly: rows.some((row) => row.cost === null && !isFree(row)),
  };
}

/** A rehearsal without tokens has used no model, so it needs no price. */
function isFree(row: WireUsageRow): boolean {
  return row.runner === "rehearsal" && tokensOf(row) === 0;
}

export function costIn({ amounts }: Pick<Sum, "amounts">, currency: string): number {
  return amounts.find((amount) => amount.currency === currency)?.cost ?? 0;
}

function nameOf(row: WireUsageRow, by: By | "day"): string {
  return by === "model" ? modelOf(row) : row[by];
}

export type Line = { readonly name: string; readonly sum: Sum };

/** By day, newest first; otherwise the most expensive in this currency first. */
export function linesBy(
  rows: readonly WireUsageRow[],
  by: By | "day",
  currency: string,
): readonly Line[] {
  const groups = Map.groupBy(rows, (row) => nameOf(row, by));
  const lines = [...groups].map(([name, of]) => ({ name, sum: sumOf(of) }));
  if (by === "day") return lines.sort((one, other) => other.name.localeCompare(one.name));
  return lines.sort(
    (one, other) =>
      costIn(other.sum, currency) - costIn(one.sum, currency) || other.sum.tokens - one.sum.tokens,
  );
}

export type Stack = {
  readonly days: readonly string[];
  readonly series: readonly { readonly name: string | null; readonly values: readonly number[] }[];
};

const MAX_SERIES = 5;

/** `cost`: only costs in this currency. */
export type Measure =
  | { readonly metric: "tokens" }
  | { readonly metric: "cost"; readonly currency: string };

/** Values per day of the largest series, and of all others together (name null). */
export function stackOf(
  rows: readonly WireUsageRow[],
  days: readonly string[],
  by: By,
  measure: Measure,
): Stack {
  const valueOf = (row: WireUsageRow) => {
    if (measure.metric === "tokens") return tokensOf(row);
    return row.currency === measure.currency ? (row.cost ?? 0) : 0;
  };
  const totals = new Map<string, number>();
  for (const row of rows) {
    const name = nameOf(row, by);
    totals.set(name, (totals.get(name) ?? 0) + valueOf(row));
  }
  const names = [...totals]
    .filter(([, total]) => total > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name);
  const shown = names.slice(0, names.length > MAX_SERIES + 1 ? MAX_SERIES : MAX_SERIES + 1);
  const hasOthers = names.length > shown.length;
  const at = new Map(days.map((day, index) => [day, index]));
  const values = Array.from({ length: shown.length + (hasOthers ? 1 : 0) }, () =>
    days.map(() => 0),
  );
  for (const row of rows) {
    const index = at.get(row.day);
    const known = shown.indexOf(nameOf(row, by));
    const line = values[known === -1 ? shown.length : known];
    if (index !== undefined && line) line[index] = (line[index] ?? 0) + valueOf(row);
  }
  return {
    days,
    series: values.map((of, index) => ({ name: shown[index] ?? null, values: of })),
  };
}

const DAY_MS = 86_400_000;

/** All days from `from` to `until`, inclusive. */
export function daysBetween(from: string, until: string): readonly string[] {
  const first = Date.parse(from);
  const count = Math.min(3_660, Math.floor((Date.parse(until) - first) / DAY_MS) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

export type Missing = { readonly model: string; readonly sum: Sum };

export function missingFor(
  rows: readonly WireUsageRow[],
  reason: NonNullable<WireUsageRow["reason"]>,
): readonly Missing[] {
  const groups = Map.groupBy(
    rows.filter((row) => row.reason === reason && !isFree(row)),
    modelOf,
  );
  return [...groups].map(([model, of]) => ({ model, sum: sumOf(of) }));
}
