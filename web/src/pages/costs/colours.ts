/** Colours that mean no status. The last one is for “Others”. */
const COLOURS = [
  "var(--color-series-1)",
  "var(--color-series-2)",
  "var(--color-series-3)",
  "var(--color-series-4)",
  "var(--color-series-5)",
  "var(--color-series-6)",
] as const;

export function colourOf(index: number): string {
  return COLOURS[Math.min(index, COLOURS.length - 1)] ?? COLOURS[0];
}
