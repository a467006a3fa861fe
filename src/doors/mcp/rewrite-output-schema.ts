import type { JsonObject } from "../../app/ports/upstream.ts";

/** Where our words stand when there is no answer to give in a tool's own shape. */
export const SAID_INSTEAD = "gatewayMessage";

/** With one of these a member that is added may break the rest. */
const NOT_PLAIN = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "enum",
  "const",
  "propertyNames",
  "patternProperties",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
];

type ObjectSchema = { type: "object"; [member: string]: unknown };

/**
 * What a tool says of its answers, with room for what only we may add; clients turn down answers
 * that do not fit. undefined: there is no way to make room, so nothing is said of them.
 */
export function rewriteOutputSchema(schema: JsonObject | null): ObjectSchema | undefined {
  if (schema?.["type"] !== "object" || NOT_PLAIN.some((member) => member in schema)) {
    return undefined;
  }
  const properties = schema["properties"] ?? {};
  if (typeof properties !== "object" || properties === null) return undefined;
  if ("notification" in properties || SAID_INSTEAD in properties) return undefined;
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    type: "object",
    properties: {
      ...properties,
      notification: { type: "string" },
      [SAID_INSTEAD]: { type: "string", description: "Said by Kuromajutsu in place of an answer." },
    },
  };
}
