const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;

/** "3h20m5s", "34.07s" or "900ms" in milliseconds; undefined for other texts. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)];
  if (parts.length === 0) return undefined;
  return Math.round(parts.reduce((sum, [, value, unit]) => sum + Number(value) * factor(unit), 0));
}

function factor(unit: string | undefined): number {
  const [, ms] = Object.entries(UNITS).find(([name]) => name === unit) ?? [];
  return ms ?? 0;
}
