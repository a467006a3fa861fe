import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { z } from "zod";

/**
 * The arguments of a tool as JSON Schema. It is part of every conversation, so it omits what does not
 * help a model: the dialect, and limits that a sensible call never reaches. The server validates all
 * of them and names the one that was violated.
 */
export function inputSchema(schema: z.ZodObject): WireTool["inputSchema"] {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return JSON.parse(JSON.stringify(rest, withoutNoise));
}

/**
 * Only the required members of the first level and the notification line. Models read answers, not
 * their schemas, and clients only validate: docs/mcp-tools.md has the full shape.
 */
export function outputSchema(schema: z.ZodObject): NonNullable<WireTool["outputSchema"]> {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "output" });
  const outline = Object.entries(properties)
    .filter(([name]) => required.includes(name) || name === "notification")
    .map(([name, value]) => [name, typeOf(value)]);
  return { type: "object", properties: Object.fromEntries(outline) };
}

const member = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.object({ type: z.string() })).default([]),
});

/** A list of types becomes `anyOf`, because some clients accept only single types. */
function typeOf(value: unknown): object {
  const { type, anyOf } = member.parse(value);
  const [only, ...others] = [type ?? anyOf.map((each) => each.type)].flat();
  if (only === undefined) throw new Error(`A member without a type: ${JSON.stringify(value)}`);
  if (others.length === 0) return { type: only };
  return { anyOf: [only, ...others].map((each) => ({ type: each })) };
}

const LONG_TEXT = 1_000;
const LONG_LIST = 100;

function withoutNoise(key: string, value: unknown): unknown {
  switch (key) {
    case "additionalProperties":
      return value === false ? undefined : value;
    case "minLength":
    case "minimum":
    case "exclusiveMinimum":
      return value === 0 || value === 1 || value === Number.MIN_SAFE_INTEGER ? undefined : value;
    case "maxLength":
      return typeof value === "number" && value >= LONG_TEXT ? undefined : value;
    case "maxItems":
    case "maximum":
      return typeof value === "number" && value >= LONG_LIST ? undefined : value;
    default:
      return value;
  }
}
