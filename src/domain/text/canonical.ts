/**
 * JSON with sorted keys: equal values have equal texts, so a hash of the text identifies the value.
 * `undefined` members are left out, as in JSON.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  // Object.fromEntries would treat a key `__proto__` specially; a null prototype keeps it a plain
  // member.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of entries) copy[key] = sorted(member);
  return copy;
}
