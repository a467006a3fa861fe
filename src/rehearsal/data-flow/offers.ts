import { fieldsOf, isRecord, type Fields } from "../../base/narrow.ts";
import { fit } from "./fit.ts";
import { isCompatible, propertiesOf, type Property, type Schema } from "./schema.ts";

/** Ours, added to every answer: it is about the agent, not about the task. */
const OUR_OWN = "notification";

/**
 * Does a tool with this output bring what is asked for? By the same name and a type that fits, at
 * the top or one level inside. A scalar that stands in every item of a list is offered as the list
 * of them, never as one of them: which one would be a guess.
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

/** The same with real results: the newest that fits; undefined if none does. */
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
