import { useFormat } from "../../i18n/format.ts";

/** Fractions of a cent matter only where there is nothing bigger. */
export function useMoney(currency: string): (value: number) => string {
  const format = useFormat();
  return (value) => format.money(value >= 1 ? Math.round(value * 100) / 100 : value, currency);
}
