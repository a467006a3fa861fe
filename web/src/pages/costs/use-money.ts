import { useFormat } from "../../i18n/format.ts";

/** Shows fractions of a cent only for small amounts. */
export function useMoney(currency: string): (value: number) => string {
  const format = useFormat();
  return (value) => format.money(value >= 1 ? Math.round(value * 100) / 100 : value, currency);
}
