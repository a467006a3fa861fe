import { describe, expect, test } from "vitest";
import { isRecord } from "../../base/narrow.ts";
import { wireTool } from "./create-mcp-server.ts";
import { CALLERS, type Caller } from "./define-tool.ts";
import { TOOLS } from "./tools.ts";

/** Every conversation carries the list, so its bytes are paid for again and again. */
const MOST_BYTES: Readonly<Record<Caller, number>> = {
  client: 14 * 1024,
  orchestrator: 12 * 1024,
  executor: 4 * 1024,
  agent: 4 * 1024,
  person: 2 * 1024,
};

test.each(CALLERS)("what tools/list says to a %s stays within its budget", (caller) => {
  const own = TOOLS.filter(({ callers }) => callers.includes(caller)).map(wireTool);

  expect(Buffer.byteLength(JSON.stringify({ tools: own }))).toBeLessThanOrEqual(MOST_BYTES[caller]);
});

test("with a person's token a main agent has two more tools, and they stay small", () => {
  const own = TOOLS.filter(
    ({ callers }) => callers.includes("client") || callers.includes("person"),
  );

  expect(Buffer.byteLength(JSON.stringify({ tools: own.map(wireTool) }))).toBeLessThanOrEqual(
    MOST_BYTES.client + 1024,
  );
});

describe.each(TOOLS.map(wireTool))("$name", (tool) => {
  test("may answer with the notification line", () => {
    expect(tool.outputSchema?.properties).toHaveProperty("notification", { type: "string" });
    expect(tool.outputSchema).not.toHaveProperty("additionalProperties");
  });

  test("has schemas that every client understands", () => {
    expect(unportable(tool.inputSchema, "input")).toEqual([]);
    expect(unportable(tool.outputSchema, "output")).toEqual([]);
    expect(JSON.stringify(tool)).not.toContain("$schema");
  });

  test("says what it is for in a sentence", () => {
    expect(tool.description).toMatch(/^[A-Z].*\.$/s);
  });
});

/** Places of a schema that accept anything, or that have a list of types, which some dialects lack. */
function unportable(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [path];
  const isTyped = typeof schema["type"] === "string" || Array.isArray(schema["anyOf"]);
  const { properties, items, anyOf } = schema;
  return [
    ...(isTyped ? [] : [path]),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, inner]) =>
      unportable(inner, `${path}.${name}`),
    ),
    ...(items === undefined ? [] : unportable(items, `${path}[]`)),
    ...(Array.isArray(anyOf) ? anyOf.flatMap((each) => unportable(each, `${path}|`)) : []),
  ];
}
