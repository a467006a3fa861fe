import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { configSchema } from "../../src/contract/config/schema.ts";

const ROOT = join(import.meta.dirname, "../..");
/** These define, check and trust settings; a setting that only they know has no effect. */
const DEFINES = /^src\/(contract|adapters)\/config\/|\.test\.ts$/;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The names of all settings, without the keys that a user chooses. */
function namesIn(schema: JsonSchema): readonly string[] {
  const own = Object.entries(schema.properties ?? {});
  const inner = [
    ...own.map(([, child]) => child),
    ...[schema.items, schema.additionalProperties, schema.anyOf].flat(),
  ];
  const nested = inner.flatMap((child) => (typeof child === "object" ? namesIn(child) : []));
  return [...own.map(([name]) => name), ...nested];
}

const SCHEMA = z.toJSONSchema(configSchema, { io: "input" });

test("every setting is read by the program, so that none is without effect", () => {
  const source = globSync("src/**/*.ts", { cwd: ROOT })
    .filter((file) => !DEFINES.test(file))
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const words = new Set(source.match(/\w+/g));

  expect([...new Set(namesIn(SCHEMA))].filter((name) => !words.has(name))).toEqual([]);
});

test("the example of a configuration names every section", () => {
  const example = readFileSync(join(ROOT, "kuromajutsu.config.example.yaml"), "utf8");
  const sections = Object.keys(SCHEMA.properties ?? {});

  expect(sections.filter((name) => !new RegExp(`^#* ?${name}:`, "m").test(example))).toEqual([]);
});
