import { isDeepStrictEqual } from "node:util";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { type Fields, isRecord } from "../../base/narrow.ts";
import type { ClientEntry } from "./client-entry.ts";
import { setJson } from "./edit-json.ts";
import { mergeEntry } from "./merge-entry.ts";
import { keyWithoutMap, type MergedText, valueAt, withValue } from "./merged-text.ts";

/** Merges the entry into a JSON file. Comments and trailing commas are kept. */
export function mergeJson(text: string, { keys, entry }: ClientEntry): MergedText {
  const before = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const document = readJson(before, errors);
  const [error] = errors;
  if (error) return { problem: syntaxProblem(before, error) };
  if (!isRecord(document)) return { problem: { kind: "not-a-map", key: "{ … }" } };
  const key = keyWithoutMap(document, keys);
  if (key !== undefined) return { problem: { kind: "not-a-map", key } };

  const existing = valueAt(document, keys);
  const wanted = mergeEntry(existing, entry);
  if (isDeepStrictEqual(wanted, existing)) return { kind: "same" };
  const after = existing
    ? changeEntry(before, keys, existing, wanted)
    : setJson(before, keys, wanted);
  // A key that occurs twice, for example: the edit changed the first one, programs read the last.
  const read = readJson(after, errors);
  if (errors.length > 0 || !isDeepStrictEqual(read, withValue(document, keys, wanted))) {
    return { problem: { kind: "by-hand" } };
  }
  return { kind: existing ? "change" : "add", text: after };
}

function changeEntry(
  text: string,
  keys: readonly string[],
  existing: Fields,
  wanted: Fields,
): string {
  return Object.entries(wanted)
    .filter(([key, value]) => !isDeepStrictEqual(value, existing[key]))
    .reduce((edited, [key, value]) => setJson(edited, [...keys, key], value), text);
}

function readJson(text: string, errors: ParseError[]): unknown {
  return parse(text, errors, { allowTrailingComma: true });
}

function syntaxProblem(text: string, { error, offset }: ParseError) {
  const lines = text.slice(0, offset).split("\n");
  const detail = printParseErrorCode(error);
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { kind: "syntax", line: lines.length, column, detail } as const;
}
