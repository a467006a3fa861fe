import { fieldsOf, isRecord, type Fields } from "../../base/narrow.ts";
import { fit } from "./fit.ts";
import { isCompatible, propertiesOf, type Property, type Schema } from "./schema.ts";

/** Our own member of every answer: it concerns the agent, not the task. */
const OUR_OWN = "notification";

/**
 * Whether a tool with this output offers the property: the same name and a compatible type, at the
 * top or one level inside. A scalar in every item of a list is offered as a list, never as a single
 * value, because choosing one would be a guess.
 */
export function isOffered(output: Schema | null, { name, schema }: Property): boolean {
  if (name === OUR_OWN) return false;
  return propertiesOf(output).some((property) => {
    if (property.name === name) return isCompatible(property.schema, schema);
    if (property.name === OUR_OWN) return false;
    const inObject = named(property.schema, name);
    if (inObject) return isCompatible(inObject, schema);
    const inItems = named(fieldsOf(property.schema.items), name);
    return inItems !== undefined && isCompatible({ type: "array", items: inItems }, schema);
  });
}

function named(schema: Schema, name: string): Schema | undefined {
  const property = propertiesOf(schema).find((one) => one.name === name);
  return property?.schema;
}

/** The same for real results: the newest value that fits; undefined if none does. */
export function findInResults(results: readonly Fields[], { name, schema }: Property): unknown {
  if (name === OUR_OWN) return undefined;
  for (const result of results.toReversed()) {
    for (const value of valuesNamed(result, name)) {
      const fitted = fit(value, schema);
      if (fitted !== undefined && fitted !== null) return fitted;
    }
  }
  return undefined;
}

function valuesNamed(result: Fields, name: string): readonly unknown[] {
  const members = Object.entries(result)
    .filter(([key]) => key !== OUR_OWN)
    .map(([, member]) => member);
  const inObjects = members.filter(isRecord).map((member) => own(member, name));
  const inItems = members
    .filter(Array.isArray)
    .map((items) => items.map((item) => own(fieldsOf(item), name)))
    .filter((values) => values.length > 0 && !values.includes(undefined))
    .map((values) => [...new Set(values)]);
  return [own(result, name), ...inObjects, ...inItems].filter((value) => value !== undefined);
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
