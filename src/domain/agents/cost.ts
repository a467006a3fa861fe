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

/** What an agent used, and what its CLI said about the price of it. */
export type Spending = Usage & {
  /** As the role names it. */
  readonly model: string;
  /** As the CLI names it; null: it does not. */
  readonly reportedModel: string | null;
  /** As the CLI reports it. */
  readonly costUsd: number | null;
};

/** CLIs report their costs in this currency. */
const REPORTED_CURRENCY = "USD";
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

export function costs<Row extends Spending>(
  rows: readonly Row[],
  prices: PriceList,
): readonly (Row & Cost)[] {
  return rows.map((row) => ({ ...row, ...costOfRow(row, prices) }));
}

/** The cost of one agent; its reason is `no usage` when the CLI reported none. */
export function costOfAgent(
  model: string,
  seen: Pick<Spending, "reportedModel" | "costUsd"> & { readonly usage: Usage | null },
  prices: PriceList,
): Cost {
  const { usage, reportedModel, costUsd } = seen;
  return costOfRow({ ...(usage ?? NO_USAGE), model, reportedModel, costUsd }, prices);
}

/** A CLI that does not know the price of its model reports 0; that is not a cost of 0. */
export function reportedCost(costUsd: number | null): number | null {
  return costUsd !== null && costUsd > 0 ? costUsd : null;
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

/** The CLI's own figure is exact; the price list is an estimate. */
function costOfRow(row: Spending, prices: PriceList): Cost {
  const { currency } = prices;
  const reported = reportedCost(row.costUsd);
  if (reported !== null) return { cost: reported, currency: REPORTED_CURRENCY, reason: null };
  const price = priceOf(row.reportedModel, prices) ?? priceOf(row.model, prices);
  if (price === undefined) return { cost: null, currency, reason: "no price" };
  // Not every CLI reports its usage; an agent that ran was not free.
  if (tokensOf(row) === 0) return { cost: null, currency, reason: "no usage" };
  return { cost: costOf(row, price), currency, reason: null };
}

function priceOf(model: string | null, { models }: PriceList): Price | undefined {
  return model !== null && Object.hasOwn(models, model) ? models[model] : undefined;
}

function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
