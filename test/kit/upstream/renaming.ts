import type { Tool } from "@modelcontextprotocol/server";
import { isRecord } from "../../../src/base/narrow.ts";

/** Consistent replacement names for all tools and properties of a server. */
export type Renaming = {
  tool(name: string): string;
  /** The original name; undefined if there is none. */
  toolBack(name: string): string | undefined;
  /** The definition with replaced names and without descriptions. */
  definition(tool: Tool): Tool;
  /** Renames data from the server. */
  data(value: unknown): unknown;
  /** Renames data to the server back. */
  dataBack(value: unknown): unknown;
};

type Names = ReadonlyMap<string, string>;

/** `seed` determines the names. */
export function createRenaming(tools: readonly Tool[], seed: number): Renaming {
  const draw = drawer(seed);
  const toolNames = new Map(tools.map(({ name }) => [name, draw()]));
  const properties = new Set(
    tools.flatMap(({ inputSchema, outputSchema }) => [
      ...propertyNames(inputSchema),
      ...propertyNames(outputSchema),
    ]),
  );
  const names = new Map([...properties].map((name) => [name, draw()]));
  const back = inverse(names);
  const toolsBack = inverse(toolNames);
  return {
    tool: (name) => toolNames.get(name) ?? name,
    toolBack: (name) => toolsBack.get(name),
    definition: ({ name, inputSchema, outputSchema, annotations }) => ({
      name: toolNames.get(name) ?? name,
      description: "…",
      inputSchema: { ...schemaWith(names, inputSchema), type: "object" },
      ...(outputSchema && { outputSchema: { ...schemaWith(names, outputSchema), type: "object" } }),
      ...(annotations && { annotations }),
    }),
    data: (value) => dataWith(names, value),
    dataBack: (value) => dataWith(back, value),
  };
}

/** Random letters without meaning. */
function drawer(seed: number): () => string {
  let state = seed;
  const used = new Set<string>();
  return () => {
    for (;;) {
      let name = "";
      for (let at = 0; at < 7; at++) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        name += "bcdfghjklmnpqrstvwxz"[Math.floor((state / 2 ** 32) * 20)] ?? "";
      }
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
  };
}

function propertyNames(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertyNames);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  return [...own, ...Object.values(schema).flatMap(propertyNames)];
}

function schemaWith(names: Names, schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== "description" && key !== "title")
      .map(([key, member]) => {
        if (key === "properties" && isRecord(member)) {
          const renamed = Object.entries(member).map(([name, property]) => [
            names.get(name) ?? name,
            schemaWith(names, property),
          ]);
          return [key, Object.fromEntries(renamed)];
        }
        if (key === "required" && Array.isArray(member)) {
          return [key, member.map((name: unknown) => names.get(String(name)) ?? name)];
        }
        if (Array.isArray(member)) {
          return [key, member.map((one) => (isRecord(one) ? schemaWith(names, one) : one))];
        }
        return [key, isRecord(member) ? schemaWith(names, member) : member];
      }),
  );
}

function dataWith(names: Names, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => dataWith(names, member));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [names.get(key) ?? key, dataWith(names, member)]),
  );
}

function inverse(names: Names): Names {
  return new Map([...names].map(([from, to]) => [to, from]));
}
