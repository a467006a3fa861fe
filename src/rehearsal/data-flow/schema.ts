import { fieldsOf, isRecord, type Fields } from "../../base/narrow.ts";

/** A JSON Schema of an upstream server: only supported parts are used, and it is never trusted. */
export type Schema = Fields;

export type Property = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
};

/** Deep enough for real schemas; stops the expansion of a schema that refers to itself. */
const MAX_DEPTH = 6;

export function propertiesOf(schema: Schema | null): readonly Property[] {
  const required = new Set(Array.isArray(schema?.required) ? schema.required : []);
  return Object.entries(fieldsOf(schema?.properties)).map(([name, property]) => ({
    name,
    schema: fieldsOf(property),
    isRequired: required.has(name),
  }));
}

/** The same schema with its own `$ref`s expanded. */
export function withoutRefs(schema: Schema | null): Schema | null {
  return schema && fieldsOf(expand(schema, schema, 0));
}

function expand(value: unknown, root: Schema, depth: number): unknown {
  if (Array.isArray(value)) return value.map((member) => expand(member, root, depth));
  if (!isRecord(value)) return value;
  // An empty schema accepts everything.
  if (depth > MAX_DEPTH * 2) return {};
  const ref = value.$ref;
  if (typeof ref === "string") return expand(at(root, ref), root, depth + 1);
  const members = Object.entries(value)
    .filter(([key]) => key !== "$defs" && key !== "definitions")
    .map(([key, member]) => [key, expand(member, root, depth + 1)] as const);
  return Object.fromEntries(members);
}

function at(root: Schema, ref: string): unknown {
  if (!ref.startsWith("#/")) return {};
  const keys = ref.slice(2).split("/");
  return keys.reduce<unknown>(
    (value, key) => fieldsOf(value)[key.replaceAll("~1", "/").replaceAll("~0", "~")],
    root,
  );
}

/** The variants of `anyOf` and `oneOf`. */
export function variantsOf(schema: Schema): readonly Schema[] {
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray);
  return choices ? choices.map(fieldsOf) : [schema];
}

/** undefined: any type. */
export function typesOf(schema: Schema): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if ("const" in schema) return [typeOf(schema.const)];
  if (Array.isArray(schema.enum)) return [...new Set(schema.enum.map(typeOf))];
  if (isRecord(schema.properties)) return ["object"];
  if (isRecord(schema.items)) return ["array"];
  return undefined;
}

export function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

export function wants(schema: Schema, type: string): boolean {
  return variantsOf(schema).some((variant) => typesOf(variant)?.includes(type));
}

/**
 * Lists and objects are what tools pass to each other; a scalar of the same name may be a
 * coincidence.
 */
export function isStructured(schema: Schema): boolean {
  return wants(schema, "array") || wants(schema, "object");
}

/**
 * Whether a value of the schema `offered` can be used where `wanted` is needed. Unspecified parts
 * do not matter.
 */
export function isCompatible(offered: Schema, wanted: Schema, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true;
  return variantsOf(offered).some((one) =>
    variantsOf(wanted).some((other) => areCompatible(one, other, depth)),
  );
}

function areCompatible(offered: Schema, wanted: Schema, depth: number): boolean {
  const shared = sharedTypes(typesOf(offered), typesOf(wanted));
  if (shared === undefined) return true;
  // That both may be null is not enough.
  return shared.some((type) => {
    if (type === "null") return false;
    if (type === "array") {
      return isCompatible(fieldsOf(offered.items), fieldsOf(wanted.items), depth + 1);
    }
    if (type === "object") return hasWhatIsWanted(offered, wanted, depth);
    return isScalarCompatible(offered, wanted);
  });
}

/** undefined: one of them accepts any type. */
function sharedTypes(
  offered: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!offered || !wanted) return undefined;
  return offered.filter((type) => isAmong(type, wanted));
}

function isAmong(type: string, types: readonly string[]): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function hasWhatIsWanted(offered: Schema, wanted: Schema, depth: number): boolean {
  if (!isRecord(offered.properties)) return true;
  const properties = offered.properties;
  return propertiesOf(wanted)
    .filter(({ isRequired }) => isRequired)
    .every(
      ({ name, schema }) =>
        Object.hasOwn(properties, name) &&
        isCompatible(fieldsOf(properties[name]), schema, depth + 1),
    );
}

function isScalarCompatible(offered: Schema, wanted: Schema): boolean {
  if (!Array.isArray(offered.enum) || !Array.isArray(wanted.enum)) return true;
  const accepted = wanted.enum;
  return offered.enum.some((member) => accepted.includes(member));
}
