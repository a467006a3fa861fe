import { fieldsOf } from "../../base/narrow.ts";
import {
  isStructured,
  propertiesOf,
  typesOf,
  variantsOf,
  type Property,
  type Schema,
} from "./schema.ts";
import type { TextFacts } from "./text-facts.ts";
import { anyValue, sureText, sureValue } from "./text-values.ts";

/** The values for one argument of a tool, without looking at other tools. */
export type Input = Property & {
  /** undefined: another tool may supply the value. */
  readonly sure: unknown;
  /**
   * Used only if no other tool supplies the value; undefined: then the argument cannot be filled.
   */
  readonly weak: unknown;
};

/**
 * Every argument of a tool, in the order of its schema. No value of the text is used for two
 * arguments.
 */
export function inputsOf(inputSchema: Schema | null, facts: TextFacts): readonly Input[] {
  const used = new Set<unknown>();
  return propertiesOf(inputSchema).map((property) => {
    const schema = concrete(property.schema);
    const { isRequired } = property;
    const sure = (isRequired ? sureValue : sureText)(schema, facts, used);
    const weak = sure === undefined && isRequired ? anyValue(schema, facts, used) : undefined;
    // One sentence may fill all text arguments.
    const value = sure ?? weak;
    if (value !== facts.sentence && !Array.isArray(schema.enum)) used.add(value);
    return { ...property, sure, weak };
  });
}

/**
 * Whether the value may come from the result of another tool. True for required arguments, and for
 * lists and objects, which exist to pass data on. An optional scalar is a filter or a limit, and
 * the same name elsewhere means nothing.
 */
export function isFromResults({ sure, isRequired, schema }: Input): boolean {
  return sure === undefined && (isRequired || isStructured(schema));
}

/** The first variant that is not null. */
function concrete(schema: Schema): Schema {
  const variant = variantsOf(schema).find((one) => !typesOf(one)?.every((type) => type === "null"));
  return variant === schema ? schema : { ...fieldsOf(schema), ...variant };
}
