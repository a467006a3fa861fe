import type { WireUsageRow } from "../../../../src/contract/shapes/history.ts";

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
  /** null if no cost is known. */
  readonly cost: number | null;
  /** True if some rows have no cost, so the sum is partial. */
  readonly isPartly: boolean;
};

const NOTHING: Sum = {
  agents: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  tokens: 0,
  cost: null,
  isPartly: false,
};

export function sumOf(rows: readonly WireUsageRow[]): Sum {
  return rows.reduce<Sum>(
    (sum, row) => ({
      agents: sum.agents + row.agents,
      input: sum.input + row.inputTokens,
      output: sum.output + row.outputTokens,
      cacheRead: sum.cacheRead + row.cacheReadTokens,
      cacheWrite: sum.cacheWrite + row.cacheWriteTokens,
      tokens: sum.tokens + tokensOf(row),
      cost: row.cost === null ? sum.cost : (sum.cost ?? 0) + row.cost,
      isPartly: sum.isPartly || row.cost === null,
    }),
    NOTHING,
  );
}

export function tokensOf(row: WireUsageRow): number {
  return row.inputTokens + row.outputTokens + row.cacheReadTokens + row.cacheWriteTokens;
}

export type Line = { readonly name: string; readonly sum: Sum };

/** By day, newest first; otherwise the most expensive first. */
export function linesBy(rows: readonly WireUsageRow[], by: By | "day"): readonly Line[] {
  const groups = Map.groupBy(rows, (row) => row[by]);
  const lines = [...groups].map(([name, of]) => ({ name, sum: sumOf(of) }));
  if (by === "day") return lines.sort((one, other) => other.name.localeCompare(one.name));
  return lines.sort(
    (one, other) =>
      (other.sum.cost ?? 0) - (one.sum.cost ?? 0) || other.sum.tokens - one.sum.tokens,
  );
}

export type Stack = {
  readonly days: readonly string[];
  readonly series: readonly { readonly name: string | null; readonly values: readonly number[] }[];
};

const MAX_SERIES = 5;

/** Values per day of the largest series, and of all others together (name null). */
export function stackOf(
  rows: readonly WireUsageRow[],
  days: readonly string[],
  by: By,
  metric: Metric,
): Stack {
  const valueOf = (row: WireUsageRow) => (metric === "cost" ? (row.cost ?? 0) : tokensOf(row));
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(row[by], (totals.get(row[by]) ?? 0) + valueOf(row));
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
    const known = shown.indexOf(row[by]);
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
    rows.filter((row) => row.reason === reason),
    (row) => row.model,
  );
  return [...groups].map(([model, of]) => ({ model, sum: sumOf(of) }));
}
