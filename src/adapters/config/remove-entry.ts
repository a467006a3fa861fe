import type { Pair, YAMLMap, YAMLSeq } from "yaml";
import {
  colonEnd,
  columnOf,
  contentEnd,
  endOfEntry,
  lineStart,
  nextLine,
  type Splice,
  startOf,
} from "./yaml-source.ts";

/** Removes an entry of a list, with the blank line that separates it; comments above it stay. */
export function removeEntry(
  text: string,
  key: Pair,
  list: YAMLSeq,
  entry: YAMLMap,
): readonly Splice[] {
  const column = columnOf(text, startOf(list));
  const dash = dashLine(text, startOf(entry), column);
  const end = nextLine(text, endOfEntry(text, contentEnd(text, entry), column));
  const entryLines = withBlankLine(text, dash, end, list.items[0] === entry);
  if (list.items.length > 1) return [entryLines];
  const colon = colonEnd(text, key);
  return [{ start: colon, end: colon, text: " []" }, entryLines];
}

/** The dash may be on a line of its own above the entry. */
function dashLine(text: string, entryStart: number, column: number): number {
  let line = lineStart(text, entryStart);
  while (line > 0 && !/^ *-(?:\s|$)/.test(text.slice(line, line + column + 2))) {
    line = lineStart(text, line - 1);
  }
  return line;
}

function withBlankLine(text: string, start: number, end: number, first: boolean): Splice {
  const before = lineStart(text, start - 1);
  const after = nextLine(text, end);
  if (!first && text.slice(before, start).trim() === "") return { start: before, end, text: "" };
  if (first && end < text.length && text.slice(end, after).trim() === "") {
    return { start, end: after, text: "" };
  }
  return { start, end, text: "" };
}
