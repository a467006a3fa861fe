import { isDeepStrictEqual } from "node:util";
import { isCollection, isScalar, type Pair, type YAMLMap } from "yaml";
import { renderLike, renderPair } from "./yaml-render.ts";
import {
  colonEnd,
  columnOf,
  contentEnd,
  endOfValue,
  findPair,
  indented,
  isBlockScalar,
  lineEnd,
  lineEndOf,
  lineStart,
  nextLine,
  type Splice,
  startOf,
} from "./yaml-source.ts";

/** Changes one value of an entry in place; a new key is added last; null removes the key. */
export function setField(
  text: string,
  entry: YAMLMap,
  key: string,
  value: unknown,
): readonly Splice[] {
  const column = columnOf(text, startOf(entry));
  const pair = findPair(entry, key);
  if (pair === undefined) return value === null ? [] : [addPair(text, entry, key, value)];
  if (value === null) return [removePair(text, entry, pair)];
  if (isDeepStrictEqual(plain(pair.value), value)) return [];
  return [replaceValue(text, pair, value, column)];
}

function plain(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  return isCollection(node) ? node.toJSON() : undefined;
}

function addPair(text: string, entry: YAMLMap, key: string, value: unknown): Splice {
  const eol = lineEndOf(text);
  const at = lineEnd(text, contentEnd(text, entry));
  const block = indented(renderPair(key, value), columnOf(text, startOf(entry)), eol);
  return { start: at, end: at, text: `${eol}${block}` };
}

/** Removes the pair's lines; on the line of the dash only up to the next key, which moves up. */
function removePair(text: string, entry: YAMLMap, pair: Pair): Splice {
  const start = startOf(pair.key);
  const end = endOfValue(text, pair);
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() === "") {
    return { start: line, end: nextLine(text, end), text: "" };
  }
  const next = entry.items[entry.items.indexOf(pair) + 1];
  return { start, end: next ? startOf(next.key) : end, text: "" };
}

function replaceValue(text: string, pair: Pair, value: unknown, column: number): Splice {
  const old = pair.value;
  const start = startOf(old);
  const end = endOfValue(text, pair);
  // Rendered last, because this reuses the nodes of the old value.
  const { head, body } = renderLike(old, value, text, column);
  const onOneLine = !isBlock(old) && end > start && !text.slice(start, end).includes("\n");
  if (onOneLine && body.length === 0) return { start, end, text: head };

  const eol = lineEndOf(text);
  const colon = colonEnd(text, pair);
  const first = `${head === "" ? "" : ` ${head}`}${commentOnFirstLine(text, old, colon, end)}`;
  const rest = body.length === 0 ? "" : `${eol}${indented(body, column, eol)}`;
  return {
    start: colon,
    end: lineEnd(text, end),
    text: `${first}${commentsAbove(text, colon, old)}${rest}`,
  };
}

/** The value is on the lines below the key. */
function isBlock(node: unknown): boolean {
  return isBlockScalar(node) || (isCollection(node) && node.flow !== true);
}

/** A comment beside the key stays there, whatever the new value is. */
function commentOnFirstLine(text: string, old: unknown, colon: number, end: number): string {
  const from = isBlock(old) ? colon : end;
  return /\s+#.*$/.exec(text.slice(from, lineEnd(text, from)))?.[0] ?? "";
}

/** Comment lines between a key and its first item, each with the preceding line end. */
function commentsAbove(text: string, colon: number, old: unknown): string {
  if (!isCollection(old) || old.flow === true) return "";
  const from = lineEnd(text, colon);
  const until = lineStart(text, startOf(old));
  return until > from ? text.slice(from, until).replace(/\r?\n$/, "") : "";
}
