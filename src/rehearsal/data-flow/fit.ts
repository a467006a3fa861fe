import { fieldsOf, isRecord, numberOf, textOf, type Fields } from "../../base/narrow.ts";
import { propertiesOf, typeOf, typesOf, variantsOf, type Schema } from "./schema.ts";

/** Patterns come from upstream servers: only short ones are used, and only on short texts. */
const MAX_PATTERN_CHARS = 200;
const MAX_MATCHED_CHARS = 100;

/**
 * The value in the form the schema accepts: forbidden members are left out. undefined: it does not
 * fit. Checks only the supported parts of a schema; the server validates the rest.
 */
export function fit(value: unknown, schema: Schema): unknown {
  for (const variant of variantsOf(schema)) {
    const fitted = fitVariant(value, variant);
    if (fitted !== undefined) return fitted;
  }
  return undefined;
}

function fitVariant(value: unknown, schema: Schema): unknown {
  const types = typesOf(schema);
  const type = typeOf(value);
  const isOfType =
    !types || types.includes(type) || (type === "integer" && types.includes("number"));
  if (!isOfType || !isChosen(value, schema)) return undefined;
  if (typeof value === "string") return isText(value, schema) ? value : undefined;
  if (typeof value === "number") return isInRange(value, schema) ? value : undefined;
  if (Array.isArray(value)) return fitItems(value, schema);
  return isRecord(value) ? fitMembers(value, schema) : value;
}

function isChosen(value: unknown, schema: Schema): boolean {
  if ("const" in schema && schema.const !== value) return false;
  return !Array.isArray(schema.enum) || schema.enum.includes(value);
}

function isText(value: string, schema: Schema): boolean {
  const chars = Array.from(value).length;
  if (chars < (numberOf(schema.minLength) ?? 0)) return false;
  if (chars > (numberOf(schema.maxLength) ?? Infinity)) return false;
  const pattern = textOf(schema.pattern);
  return pattern === undefined || matches(value, pattern);
}

export function matches(value: string, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS || value.length > MAX_MATCHED_CHARS) return false;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return false;
  }
}

function isInRange(value: number, schema: Schema): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const multipleOf = numberOf(schema.multipleOf);
  return (
    value >= (numberOf(minimum) ?? -Infinity) &&
    value <= (numberOf(maximum) ?? Infinity) &&
    value > (numberOf(exclusiveMinimum) ?? -Infinity) &&
    value < (numberOf(exclusiveMaximum) ?? Infinity) &&
    (multipleOf === undefined || value % multipleOf === 0)
  );
}

function fitItems(values: readonly unknown[], schema: Schema): readonly unknown[] | undefined {
  const items = fieldsOf(schema.items);
  const fitted = values.map((value) => fit(value, items));
  if (fitted.includes(undefined)) return undefined;
  const isCounted =
    fitted.length >= (numberOf(schema.minItems) ?? 0) &&
    fitted.length <= (numberOf(schema.maxItems) ?? Infinity);
  return isCounted ? fitted : undefined;
}

function fitMembers(value: Fields, schema: Schema): Fields | undefined {
  const known = new Map(propertiesOf(schema).map((property) => [property.name, property]));
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const property = known.get(name);
    const fitted = property ? fit(member, property.schema) : member;
    const isForbidden = property ? !property.isRequired && fitted === undefined : isClosed(schema);
    if (isForbidden) continue;
    if (fitted === undefined) return undefined;
    kept.push([name, fitted]);
  }
  const names = new Set(kept.map(([name]) => name));
  const isWhole = [...known.values()].every(
    ({ name, isRequired }) => !isRequired || names.has(name),
  );
  return isWhole ? Object.fromEntries(kept) : undefined;
}

function isClosed({ additionalProperties }: Schema): boolean {
  return additionalProperties === false;
}
