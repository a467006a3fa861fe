// Writes test/kit/slack/block-kit.schema.json from Slack's own types: node scripts/block-kit-schema.ts
// The types say what a block consists of; the limits are only in their comments, and are read from
// there. Run it after an update of @slack/types. The generator is loaded with npx, because it brings
// a TypeScript of its own (27 MB) and is needed only here.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isRecord } from "../src/base/narrow.ts";

const GENERATOR = "ts-json-schema-generator@2.9.0";
const TYPES = fileURLToPath(new URL("../test/kit/slack/block-kit-types.ts", import.meta.url));
export const SCHEMA_FILE = new URL("../test/kit/slack/block-kit.schema.json", import.meta.url);

type Schema = Readonly<Record<string, unknown>>;

/** What the schema is made of. It stands in the file, so that a test notices a stale one. */
export function schemaSource(): string {
  const { version } = createRequire(import.meta.url)("@slack/types/package.json");
  const own = createHash("sha256").update(readFileSync(TYPES)).digest("hex").slice(0, 12);
  return `@slack/types ${version}, block-kit-types.ts ${own}`;
}

/** The schema as it is written to the file. */
function blockKitSchema(): string {
  const tsconfig = fileURLToPath(new URL("../tsconfig.json", import.meta.url));
  const args = ["--path", TYPES, "--tsconfig", tsconfig, "--type", "BlockKit", "--no-type-check"];
  const generated = execFileSync("npx", ["--yes", GENERATOR, ...args], {
    encoding: "utf8",
    maxBuffer: 64_000_000,
  });
  const schema: Schema = JSON.parse(generated);
  const found = isRecord(schema["definitions"]) ? schema["definitions"] : {};
  const definitions = Object.entries(found).map(([name, definition]) => [
    name,
    isRecord(definition) ? withLimits(definition) : definition,
  ]);
  const limited = {
    $comment: schemaSource(),
    ...schema,
    definitions: Object.fromEntries(definitions),
  };
  return `${JSON.stringify(withoutDescriptions(limited))}\n`;
}

/** Turns "Maximum length … N characters" and "Maximum number of items is N" into schema. */
function withLimits(definition: Schema): Schema {
  const { properties } = definition;
  if (!isRecord(properties)) return definition;
  const limited = Object.entries(properties).map(([name, property]) => [
    name,
    isRecord(property) ? limitOf(property) : property,
  ]);
  return { ...definition, properties: Object.fromEntries(limited) };
}

function limitOf(property: Schema): Schema {
  const { description, type } = property;
  const said = typeof description === "string" ? description.replaceAll(/\s+/g, " ") : "";
  return type === "array" ? limitItems(property, said) : limitText(property, said);
}

function limitItems(property: Schema, said: string): Schema {
  const items = /(?:[Mm]aximum(?: number of items is| of)?|Max of) ([\d,]+)/.exec(said)?.[1];
  const text = /text in each item is ([\d,]+)/.exec(said)?.[1];
  return {
    ...property,
    ...(items !== undefined && { maxItems: toNumber(items) }),
    ...(text !== undefined && { items: { allOf: [property["items"], textOf(text)] } }),
  };
}

function limitText(property: Schema, said: string): Schema {
  const chars = /(?:[Mm]ax(?:imum)?(?: text)? length|Limit)[^.]*? ([\d,]+) ?characters/.exec(
    said,
  )?.[1];
  if (chars === undefined) return property;
  if (property["type"] === "string") return { ...property, maxLength: toNumber(chars) };
  return { allOf: [property, textOf(chars)] };
}

function textOf(chars: string): Schema {
  return { properties: { text: { maxLength: toNumber(chars), minLength: 1 } } };
}

function toNumber(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "description" || typeof inner !== "string")
      .map(([key, inner]) => [key, withoutDescriptions(inner)]),
  );
}

if (import.meta.main) writeFileSync(SCHEMA_FILE, blockKitSchema());
