import type { z } from "zod";
import { isRecord } from "../../src/base/narrow.ts";

/** Every fixed error text of a schema and of the schemas in it. */
export function errorsOf(schema: z.ZodType): ReadonlySet<string> {
  const errors = new Set<string>();
  const seen = new Set<unknown>();
  function visit(node: unknown): void {
    if (seen.has(node)) return;
    if (Array.isArray(node)) {
      seen.add(node);
      node.forEach(visit);
      return;
    }
    if (typeof node === "function" || !isRecord(node)) return;
    seen.add(node);
    const internals = node["_zod"];
    if (isRecord(internals)) return visit(internals["def"]);
    for (const [key, value] of Object.entries(node)) {
      if (key === "error" && typeof value === "function") {
        const said: unknown = value({});
        if (typeof said === "string") errors.add(said);
      } else visit(value);
    }
  }
  visit(schema);
  return errors;
}
