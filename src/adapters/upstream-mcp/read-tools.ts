import { createHash } from "node:crypto";
import type { JsonObject, UpstreamTool } from "../../app/ports/upstream.ts";
import { isRecord } from "../../base/narrow.ts";
import { truncate } from "../../base/truncate.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import { cleanText } from "../../domain/gateway/clean-answer.ts";
import { withoutOurLine } from "../../domain/gateway/forged-line.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { isLargerThan } from "../../domain/text/json-size.ts";
import { plainText } from "../../domain/text/plain-text.ts";
import {
  MAX_DEPTH,
  MAX_DESCRIPTION_CHARS,
  MAX_LIST_PAGES,
  MAX_NAME_CHARS,
  MAX_PARAMETER_CHARS,
  MAX_SCHEMA_CHARS,
  MAX_TITLE_CHARS,
  MAX_TOOLS,
} from "./limits.ts";

/** Checked first, because it is cheap for schemas of any size. */
const MAX_SCHEMA = { chars: MAX_SCHEMA_CHARS, values: MAX_SCHEMA_CHARS };

export type ToolPage = { readonly tools: readonly unknown[]; readonly nextCursor?: string };

export type ReadTools = {
  readonly tools: readonly UpstreamTool[];
  /** The server's own name of each tool, by our cleaned name. */
  readonly ownNames: ReadonlyMap<string, string>;
  /** Sentences for the log about what was left out or truncated. */
  readonly remarks: readonly string[];
};

/**
 * Reads every page of a server's list, up to the limits. A page can be as long as a message, so each
 * definition is reduced to the part that will be used.
 */
export async function readPages(
  page: (cursor: string | undefined) => Promise<ToolPage>,
): Promise<{ readonly found: readonly unknown[]; readonly remarks: readonly string[] }> {
  const found: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < MAX_LIST_PAGES; count++) {
    const { tools, nextCursor } = await page(cursor);
    for (const tool of tools.slice(0, MAX_TOOLS + 1)) found.push(bounded(tool));
    if (nextCursor === undefined) return { found, remarks: [] };
    if (found.length > MAX_TOOLS || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { found, remarks: ["The list is too long; its rest was not read."] };
}

function bounded(tool: unknown): unknown {
  const raw = asObject(tool);
  if (!raw) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = raw;
  return {
    name: beginning(name, MAX_NAME_CHARS),
    title: beginning(title, MAX_TITLE_CHARS),
    description: beginning(description, MAX_DESCRIPTION_CHARS),
    inputSchema: boundedSchema(inputSchema),
    ...(outputSchema === undefined ? {} : { outputSchema: boundedSchema(outputSchema) ?? null }),
    annotations: boundedSchema(annotations),
  };
}

/** Keeps one character more than allowed, so that the reader sees that the text is too long. */
function beginning(text: unknown, maxChars: number): string | undefined {
  return typeof text === "string" ? text.slice(0, maxChars + 1) : undefined;
}

function boundedSchema(value: unknown): JsonObject | undefined {
  const raw = asObject(value);
  if (!raw || isLargerThan(raw, MAX_SCHEMA) || isDeeperThan(raw, MAX_DEPTH)) return undefined;
  return JSON.stringify(raw).length > MAX_SCHEMA_CHARS ? undefined : raw;
}

/** Sanitizes a server's tool definitions: limits sizes, removes hidden text, drops malformed ones. */
export function readTools(
  server: string,
  found: readonly unknown[],
  settings: UpstreamSettings["tools"],
): ReadTools {
  const tools: UpstreamTool[] = [];
  const ownNames = new Map<string, string>();
  const remarks: string[] = [];
  for (const each of found) {
    if (tools.length >= MAX_TOOLS) {
      remarks.push(`It has more than ${MAX_TOOLS} tools; the rest is left out.`);
      break;
    }
    const raw = asObject(each);
    const name = readName(raw?.["name"]);
    if (!raw || name === undefined) {
      remarks.push("A tool without a usable name is left out.");
    } else if (ownNames.has(name)) {
      remarks.push(`A second tool ${name} is left out.`);
    } else if (settings[name]?.disabled !== true) {
      const tool = readTool(server, name, raw, settings[name], remarks);
      if (!tool) continue;
      tools.push(tool);
      ownNames.set(name, String(raw["name"]));
    }
  }
  return { tools, ownNames, remarks };
}

function readName(name: unknown): string | undefined {
  if (typeof name !== "string" || name.length > MAX_NAME_CHARS) return undefined;
  return plainText(name).trim() || undefined;
}

function readTool(
  server: string,
  name: string,
  raw: JsonObject,
  settings: UpstreamSettings["tools"][string] | undefined,
  remarks: string[],
): UpstreamTool | undefined {
  const schema = readSchema(raw["inputSchema"]);
  const inputSchema = schema && { type: "object", ...schema };
  if (inputSchema?.type !== "object") {
    remarks.push(
      `${name} is left out: its input schema is missing, too large, no object or contains our notification line.`,
    );
    return undefined;
  }
  const outputSchema = raw["outputSchema"] === undefined ? null : readSchema(raw["outputSchema"]);
  if (outputSchema === undefined) {
    remarks.push(
      `The output schema of ${name} is left out: it is too large, no object or contains our notification line.`,
    );
  }
  const written = typeof raw["description"] === "string" ? raw["description"] : "";
  if (written.length > MAX_DESCRIPTION_CHARS)
    remarks.push(`The description of ${name} is truncated.`);
  const definition = {
    name,
    title: readTitle(raw["title"]),
    description: readWords(written, MAX_DESCRIPTION_CHARS),
    inputSchema,
    outputSchema: outputSchema ?? null,
    annotations: readAnnotations(raw["annotations"]),
  };
  const hash = createHash("sha256").update(canonicalJson(definition)).digest("hex");
  const isReadOnly = settings?.readOnly === true;
  const humanCheck = settings?.humanCheck ?? "as-planned";
  return { server, ...definition, isReadOnly, humanCheck, hash };
}

function readTitle(title: unknown): string | null {
  if (typeof title !== "string") return null;
  return readWords(title, MAX_TITLE_CHARS).trim() || null;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

function readAnnotations(value: unknown): JsonObject | null {
  const raw = asObject(value);
  if (!raw) return null;
  const title = readTitle(raw["title"]);
  const hints = HINTS.filter((hint) => typeof raw[hint] === "boolean");
  const known = {
    ...(title === null ? {} : { title }),
    ...Object.fromEntries(hints.map((hint) => [hint, raw[hint]])),
  };
  return Object.keys(known).length === 0 ? null : known;
}

function readSchema(value: unknown): JsonObject | undefined {
  const raw = boundedSchema(value);
  if (!raw) return undefined;
  const schema = withPlainWords(raw, "");
  return saysOurLine(schema) ? undefined : asObject(schema);
}

/** Models read the descriptions inside a schema too, so they are cleaned like the others. */
function withPlainWords(value: unknown, key: string): unknown {
  if (typeof value === "string") {
    const isForReading = key === "description" || key === "title";
    return isForReading ? readWords(value, MAX_PARAMETER_CHARS) : value;
  }
  if (Array.isArray(value)) return value.map((each) => withPlainWords(each, ""));
  const object = asObject(value);
  if (!object) return value;
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, withPlainWords(member, name)]),
  );
}

/** Names and values of parameters cannot be cleaned, because calls are made with them. */
function saysOurLine(schema: unknown): boolean {
  const texts = textsIn(schema);
  return withoutOurLine(texts).some((text, index) => text !== texts[index]);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

/** Truncated before cleaning too: cleaning is slow, and the server chooses the length. */
function readWords(text: string, maxChars: number): string {
  return startOf(cleanText(plainText(startOf(text, maxChars))), maxChars);
}

/** Without recursion, because the value may be nested deeply enough to overflow the stack. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= limit; depth++) {
    level = level.flatMap((each) =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? { ...value } : undefined;
}

function startOf(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : truncate(text, maxChars - 1);
}
