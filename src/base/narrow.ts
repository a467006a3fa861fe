/**
 * Guards for JSON of unknown shape. A stream has thousands of lines per second, so these check only
 * what is needed; a value of the wrong type counts as absent.
 */
export type Fields = Readonly<Record<string, unknown>>;

const NO_FIELDS: Fields = {};

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : NO_FIELDS;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
