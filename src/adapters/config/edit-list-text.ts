import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { removeEntry } from "./remove-entry.ts";
import { setField } from "./set-field.ts";
import { renderEntry, renderFlow } from "./yaml-render.ts";
import {
  applySplices,
  colonEnd,
  columnOf,
  contentEnd,
  endOfEntry,
  endOfValue,
  findPair,
  indented,
  lineEnd,
  lineEndOf,
  lineStart,
  type Splice,
  startOf,
} from "./yaml-source.ts";

/** One change of a list whose entries have an `id`; null removes a field. */
export type ListEdit =
  | {
      readonly kind: "set";
      readonly id: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "remove"; readonly id: string };

type SetEdit = Extract<ListEdit, { kind: "set" }>;

/** The path of the list: `["roles"]`, `["auth", "users"]`. */
export type ListPath = readonly [string] | readonly [string, string];

/**
 * The text with one change of a list; every other byte stays, because printing the parsed document
 * again would move aligned comments. The result is a proposal: the caller must check that it parses
 * to the intended settings. Throws if there is no place for the change.
 */
export function editListText(text: string, path: ListPath, edit: ListEdit): string {
  if (text.startsWith("\u{FEFF}")) return `\u{FEFF}${editListText(text.slice(1), path, edit)}`;
  if (edit.kind === "remove" || !hasEntry(text, path, edit.id)) return editOnce(text, path, edit);
  // One field at a time: an edit knows the positions only in the text before it.
  return Object.entries(edit.fields).reduce(
    (done, [key, value]) => editOnce(done, path, { ...edit, fields: { [key]: value } }),
    text,
  );
}

function parse(text: string): Document {
  return parseDocument(text, { uniqueKeys: false, logLevel: "error" });
}

function hasEntry(text: string, path: ListPath, id: string): boolean {
  const list = pairAt(parse(text).contents, path)?.value;
  return isSeq(list) && findEntry(list, id) !== undefined;
}

function editOnce(text: string, path: ListPath, edit: ListEdit): string {
  return applySplices(text, splicesFor(text, parse(text), path, edit));
}

function pairAt(top: unknown, path: readonly string[]): Pair | undefined {
  const [key = "", ...below] = path;
  const pair = findPair(top, key);
  return below.length === 0 ? pair : pairAt(pair?.value, below);
}

function splicesFor(
  text: string,
  document: Document,
  path: ListPath,
  edit: ListEdit,
): readonly Splice[] {
  const top = document.contents;
  const section = path.length === 2 ? findPair(top, path[0]) : undefined;
  const pair = pairAt(top, path);
  const list = pair?.value;
  const entry = isSeq(list) ? findEntry(list, edit.id) : undefined;
  const above = [top, section?.value, list];
  const flow = (edit.kind === "remove" ? above : [...above, entry]).find(
    (node) => (isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0,
  );
  if (flow !== undefined) return editFlow(text, document, flow, path, edit);

  if (edit.kind === "remove") {
    return pair && isSeq(list) && entry ? removeEntry(text, pair, list, entry) : [];
  }
  if (entry) {
    return Object.entries(edit.fields).flatMap(([key, value]) => setField(text, entry, key, value));
  }
  const lines = renderEntry(newEntry(edit));
  if (isSeq(list) && list.items.length > 0) return [addToList(text, list, lines)];
  if (pair) return [beginBelow(text, pair, lines)];
  const key = `${path.at(-1) ?? ""}:`;
  const block = [key, ...inside(lines)];
  if (section && isMap(section.value) && section.value.items.length > 0) {
    return [addToMap(text, section.value, block)];
  }
  if (section) return [beginBelow(text, section, block)];
  const whole = path.length === 2 ? [`${path[0]}:`, ...inside(block)] : block;
  return [addAtEnd(text, isMap(top) ? columnOf(text, startOf(top)) : 0, whole)];
}

function inside(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line ? `  ${line}` : ""));
}

function findEntry(list: YAMLSeq, id: string): YAMLMap | undefined {
  for (const item of list.items) {
    const found = findPair(item, "id")?.value;
    if (isMap(item) && isScalar(found) && found.value === id) return item;
  }
  return undefined;
}

/** The given fields, in the order a person would write them. */
function newEntry({ id, fields }: SetEdit): Record<string, unknown> {
  const { name, description, model, runner, access, ...rest } = fields;
  const ordered = { name, description, model, runner, access, ...rest };
  const set = Object.entries(ordered).filter(([, value]) => value !== null && value !== undefined);
  return { id, ...Object.fromEntries(set) };
}

function addToList(text: string, list: YAMLSeq, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const column = columnOf(text, startOf(list));
  const at = endOfEntry(text, contentEnd(text, list), column);
  // A blank line that belongs to the value above (`|+`) must not be followed by another one.
  const kept = text.slice(lineStart(text, at), at).trim() === "";
  const gap = !kept && isSpaced(text, list) ? eol : "";
  return { start: at, end: at, text: `${eol}${gap}${indented(lines, column, eol)}` };
}

/**
 * Whether blank lines separate the entries. For a single entry yes, so that the second is easy to
 * see.
 */
function isSpaced(text: string, list: YAMLSeq): boolean {
  if (list.items.length < 2) return true;
  const before = text.slice(0, lineStart(text, startOf(list.items.at(-1))));
  return /\n[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*$/.test(before);
}

/** For a key followed by nothing, `[]`, `{}` or null. */
function beginBelow(text: string, pair: Pair, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const valueEnd = endOfValue(text, pair);
  const end = lineEnd(text, valueEnd);
  const column = columnOf(text, startOf(pair.key)) + 2;
  const comment = text.slice(valueEnd, end);
  return {
    start: colonEnd(text, pair),
    end,
    text: `${comment}${eol}${indented(lines, column, eol)}`,
  };
}

function addToMap(text: string, map: YAMLMap, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const at = lineEnd(text, contentEnd(text, map));
  return {
    start: at,
    end: at,
    text: `${eol}${indented(lines, columnOf(text, startOf(map)), eol)}`,
  };
}

function addAtEnd(text: string, column: number, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const unfinished = text !== "" && !text.endsWith("\n");
  const gap = text.trim() === "" || /\n[ \t]*\r?\n$/.test(text) ? "" : eol;
  return {
    start: text.length,
    end: text.length,
    text: `${unfinished ? eol : ""}${gap}${indented(lines, column, eol)}${eol}`,
  };
}

/** Flow collections (`{…}`, `[…]`) have no lines to preserve: the outermost one is rewritten. */
function editFlow(
  text: string,
  document: Document,
  flow: unknown,
  path: ListPath,
  edit: ListEdit,
): readonly Splice[] {
  if (!isMap(flow) && !isSeq(flow)) return [];
  const [start, end] = flow.range ?? [0, 0];
  applyToDocument(document, path, edit);
  return [{ start, end, text: renderFlow(flow, text) }];
}

function applyToDocument(document: Document, path: ListPath, edit: ListEdit): void {
  const list = pairAt(document.contents, path)?.value;
  const at = isSeq(list) ? list.items.findIndex((item) => item === findEntry(list, edit.id)) : -1;
  if (edit.kind === "remove") {
    if (at >= 0) document.deleteIn([...path, at]);
  } else if (at >= 0) {
    for (const [key, value] of Object.entries(edit.fields)) {
      if (value === null) document.deleteIn([...path, at, key]);
      else document.setIn([...path, at, key], document.createNode(onOneLine(value)));
    }
  } else {
    const entry = Object.entries(newEntry(edit)).map(([key, value]) => [key, onOneLine(value)]);
    const node = document.createNode(Object.fromEntries(entry));
    if (isSeq(list)) list.add(node);
    else document.setIn(path, document.createNode([node]));
  }
}

/** In a flow collection a text of several lines would be folded. */
function onOneLine(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("\n")) return value;
  const node = new Scalar(value);
  node.type = Scalar.QUOTE_DOUBLE;
  return node;
}
