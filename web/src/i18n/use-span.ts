import { useLocale } from "./locale.ts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** Formats a duration in the largest unit that needs no fraction: 24 hours, 90 seconds. */
export function useSpan(): (ms: number) => string {
  const locale = useLocale((state) => state.locale);
  const tag = locale === "ja" ? "ja-JP" : "en-US";
  return (ms) => {
    const [unit, size] = UNITS.find(([, of]) => ms >= of && ms % of === 0) ?? ["millisecond", 1];
    const format = new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long" });
    return format.format(ms / size);
  };
}
