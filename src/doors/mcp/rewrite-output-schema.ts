import type { JsonObject } from "../../app/ports/upstream.ts";

/** The member with our message when there is no answer in the shape of the tool. */
export const GATEWAY_MESSAGE = "gatewayMessage";

/** A schema with one of these keywords may not allow an added member. */
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

/**
 * A refusal is a text with these members as JSON. Gemini takes such a text for structured content,
 * and shows its model only that the content does not match the schema.
 */
const REFUSAL = {
  error: { type: "boolean" },
  code: { type: "string" },
  message: { type: "string" },
  hint: { type: "string" },
} as const;

type ObjectSchema = { type: "object"; [member: string]: unknown };

/**
 * The output schema of an upstream tool, extended with the members that we may add, because clients
 * reject answers that do not match. undefined: it cannot be extended, so no schema is published.
 */
export function rewriteOutputSchema(schema: JsonObject | null): ObjectSchema | undefined {
  if (schema?.["type"] !== "object" || NOT_PLAIN.some((member) => member in schema)) {
    return undefined;
  }
  const properties = schema["properties"] ?? {};
  if (typeof properties !== "object" || properties === null) return undefined;
  if (
    ["notification", GATEWAY_MESSAGE, ...Object.keys(REFUSAL)].some((name) => name in properties)
  ) {
    return undefined;
  }
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    type: "object",
    properties: {
      ...properties,
      notification: { type: "string" },
      [GATEWAY_MESSAGE]: {
        type: "string",
        description: "Said by Kuromajutsu in place of an answer.",
      },
      ...REFUSAL,
    },
  };
}
