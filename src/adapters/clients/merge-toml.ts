import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError, type TomlTable } from "smol-toml";
import type { Fields } from "../../base/narrow.ts";
import type { ClientEntry } from "./client-entry.ts";
import { mergeEntry } from "./merge-entry.ts";
import { keyWithoutMap, lineEndOf, type MergedText, valueAt, withValue } from "./merged-text.ts";

/** Merges the entry into a TOML file as a table of its own. Comments and order are kept. */
export function mergeToml(before: string, { keys, entry }: ClientEntry): MergedText {
  const document = readToml(before);
  if (document instanceof TomlError) return { problem: syntaxProblem(document) };
  const key = keyWithoutMap(document, keys);
  if (key !== undefined) return { problem: { kind: "not-a-map", key } };

  const existing = valueAt(document, keys);
  const wanted = mergeEntry(existing, entry);
  if (isDeepStrictEqual(wanted, existing)) return { kind: "same" };
  const after = existing
    ? changeTable(before, keys, existing, wanted)
    : appendTable(before, keys, wanted);
  const read = after === undefined ? undefined : readToml(after);
  if (after === undefined || !isDeepStrictEqual(read, withValue(document, keys, wanted))) {
    return { problem: { kind: "by-hand" } };
  }
  return { kind: existing ? "change" : "add", text: after };
}

function appendTable(text: string, keys: readonly string[], entry: Fields): string {
  const end = lineEndOf(text);
  const table = `[${keys.join(".")}]\n${stringify(entry)}`.trimEnd().replaceAll("\n", end) + end;
  if (text === "") return table;
  return `${text}${text.endsWith("\n") ? "" : end}${end}${table}`;
}

/** Replaces or adds keys in the table; undefined if it is written in another way. */
function changeTable(
  text: string,
  keys: readonly string[],
  existing: Fields,
  wanted: Fields,
): string | undefined {
  const header = new RegExp(
    String.raw`^\s*\[\s*${keys.map(keyPattern).join(String.raw`\s*\.\s*`)}\s*\]`,
  );
  const lines = text.split("\n");
  const start = lines.findIndex((line) => header.test(line));
  if (start === -1) return undefined;
  for (const [key, value] of Object.entries(wanted)) {
    if (isDeepStrictEqual(value, existing[key])) continue;
    const line = stringify({ [key]: value }).trimEnd() + (lineEndOf(text) === "\r\n" ? "\r" : "");
    const at = lines.findIndex((each, index) => index > start && assigns(each, key));
    if (key in existing) lines.splice(at, linesOfValue(lines.slice(at)), line);
    else lines.splice(start + 1, 0, line);
  }
  return lines.join("\n");
}

const assigns = (line: string, key: string): boolean =>
  new RegExp(String.raw`^\s*${keyPattern(key)}\s*=`).test(line);

const keyPattern = (key: string): string => `(?:${key}|"${key}"|'${key}')`;

/** A value may span several lines: it ends where the lines so far are valid. */
function linesOfValue(lines: readonly string[]): number {
  const count = lines.findIndex(
    (_, index) => !(readToml(lines.slice(0, index + 1).join("\n")) instanceof TomlError),
  );
  return Math.max(count, 0) + 1;
}

/** Cloned, because the tables of the parser have no prototype and would equal no other object. */
function readToml(text: string): TomlTable | TomlError {
  try {
    return structuredClone(parse(text, { integersAsBigInt: "asNeeded" }));
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function syntaxProblem({ line, column, message }: TomlError) {
  // The message continues with an excerpt of the file, which may contain a secret.
  const [detail = ""] = message.split("\n");
  return { kind: "syntax", line, column, detail } as const;
}
