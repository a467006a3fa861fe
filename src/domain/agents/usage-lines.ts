import { costs, type Cost, type PriceList, type Spending } from "./cost.ts";
import type { Usage } from "./runner.ts";
import { addUsage } from "./usage.ts";

type Row = Spending & {
  readonly day?: string;
  readonly runner: string;
  readonly role: string;
  readonly agents: number;
};

type Figures = Usage &
  Pick<Spending, "reportedModel" | "costUsd"> &
  Pick<Cost, "cost" | "currency" | "reason"> & { readonly agents: number };

/**
 * Rows with their costs, one for each day, runner, model and role. Only costs that cannot be added
 * up (another currency, or no price), and the models that a CLI chose itself, are separate.
 */
export function usageLines<Each extends Row>(
  rows: readonly Each[],
  prices: PriceList,
): readonly (Each & Figures)[] {
  const lines: { readonly row: Each; figures: Figures }[] = [];
  for (const row of costs(rows, prices)) {
    const line = lines.findLast(
      (each) => keyOf(each.row) === keyOf(row) && canAdd(row.model, each.figures, row),
    );
    if (line) line.figures = add(line.figures, row);
    else lines.push({ row, figures: figuresOf(row) });
  }
  return lines.map(({ row, figures }) => ({ ...row, ...figures }));
}

function keyOf({ day, runner, model, role }: Row): string {
  return [day, runner, model, role].join("\n");
}

function canAdd(model: string, one: Figures, other: Figures): boolean {
  if (isEmpty(one) || isEmpty(other)) return true;
  const isSameModel = model !== "default" || one.reportedModel === other.reportedModel;
  return isSameModel && one.currency === other.currency && one.reason === other.reason;
}

/** Agents that ended before their CLI reported anything. */
function isEmpty({ cost, ...usage }: Usage & Pick<Cost, "cost">): boolean {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return cost === null && inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0;
}

function figuresOf(row: Figures): Figures {
  const { agents, reportedModel, costUsd, cost, currency, reason } = row;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = row;
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  return { ...usage, agents, reportedModel, costUsd, cost, currency, reason };
}

function add(one: Figures, other: Figures): Figures {
  const [main, rest] = isEmpty(one) ? [other, one] : [one, other];
  const isOneModel = isEmpty(rest) || main.reportedModel === rest.reportedModel;
  return {
    ...figuresOf(main),
    ...addUsage(main, rest),
    agents: main.agents + rest.agents,
    reportedModel: isOneModel ? main.reportedModel : null,
    costUsd: sumOf(main.costUsd, rest.costUsd),
    cost: sumOf(main.cost, rest.cost),
  };
}

/** null: neither is known. */
function sumOf(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0);
}
