import { useFormat } from "../../i18n/format.ts";
import type { Amount } from "../../text/amounts.ts";

/** Shows fractions of a cent only for small amounts. */
export function useMoney(): (amounts: readonly Amount[]) => string {
  const format = useFormat();
  return (amounts) =>
    format.amounts(amounts.map(({ cost, currency }) => ({ cost: rounded(cost), currency })));
}

function rounded(cost: number): number {
  return cost >= 1 ? Math.round(cost * 100) / 100 : cost;
}
