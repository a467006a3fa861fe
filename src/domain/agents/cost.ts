import type { Usage } from "./runner.ts";

/** Per million tokens. */
export type Price = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
};

export type PriceList = {
  readonly currency: string;
  readonly models: Readonly<Record<string, Price>>;
};

/** An unknown cost is null with a reason, never 0: a sum must not look complete when it is not. */
export type Cost =
  | { readonly cost: number; readonly currency: string; readonly reason: null }
  | {
      readonly cost: null;
      readonly currency: string;
      readonly reason: "no price" | "no usage";
    };

const TOKENS_PER_PRICE = 1_000_000;

/**
 * Cached tokens without a price of their own cost as much as input: an estimate should be too high
 * rather than too low.
 */
export function costOf(usage: Usage, price: Price): number {
  return (
    (usage.inputTokens * price.input +
      usage.outputTokens * price.output +
      usage.cacheReadTokens * (price.cacheRead ?? price.input) +
      usage.cacheWriteTokens * (price.cacheWrite ?? price.input)) /
    TOKENS_PER_PRICE
  );
}

export function costs<Row extends Usage & { readonly model: string }>(
  rows: readonly Row[],
  prices: PriceList,
): readonly (Row & Cost)[] {
  return rows.map((row) => ({ ...row, ...costOfRow(row, prices) }));
}

/** The cost of one agent; its reason is `no usage` when the CLI reported none. */
export function costOfAgent(model: string, usage: Usage | null, prices: PriceList): Cost {
  return costOfRow({ ...(usage ?? NO_USAGE), model }, prices);
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

function costOfRow(row: Usage & { readonly model: string }, prices: PriceList): Cost {
  const { currency, models } = prices;
  const price = Object.hasOwn(models, row.model) ? models[row.model] : undefined;
  if (price === undefined) return { cost: null, currency, reason: "no price" };
  // Not every CLI reports its usage; an agent that ran was not free.
  if (tokensOf(row) === 0) return { cost: null, currency, reason: "no usage" };
  return { cost: costOf(row, price), currency, reason: null };
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
