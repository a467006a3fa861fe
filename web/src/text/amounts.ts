export type Amount = { readonly cost: number; readonly currency: string };

/** One amount per currency, because different currencies cannot be added up. */
export function amountsOf(
  rows: readonly { readonly cost: number | null; readonly currency: string }[],
): readonly Amount[] {
  const amounts = new Map<string, number>();
  for (const { cost, currency } of rows) {
    if (cost !== null) amounts.set(currency, (amounts.get(currency) ?? 0) + cost);
  }
  return [...amounts].map(([currency, cost]) => ({ cost, currency }));
}
