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
import type { RoleEdit } from "../../app/ports/config-file.ts";
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

type SetEdit = Extract<RoleEdit, { kind: "set" }>;

/**
 * The text with one change of its roles, everything else as it was to the byte: printing the parsed
 * document again would move every aligned comment. The result is a proposal; whether it says what
 * was meant is for the caller to see. Throws where no place for the change can be found.
 */
export function editRolesText(text: string, edit: RoleEdit): string {
  if (text.startsWith("\u{FEFF}")) return `\u{FEFF}${editRolesText(text.slice(1), edit)}`;
  if (edit.kind === "remove" || !hasEntry(text, edit.id)) return editOnce(text, edit);
  // One field after the other: each knows where things are in the text before it only.
  return Object.entries(edit.fields).reduce(
    (done, [key, value]) => editOnce(done, { ...edit, fields: { [key]: value } }),
    text,
  );
}

function parse(text: string): Document {
  return parseDocument(text, { uniqueKeys: false, logLevel: "error" });
}

function hasEntry(text: string, id: string): boolean {
  const list = findPair(parse(text).contents, "roles")?.value;
  return isSeq(list) && findEntry(list, id) !== undefined;
}

function editOnce(text: string, edit: RoleEdit): string {
  return applySplices(text, splicesFor(text, parse(text), edit));
}

function splicesFor(text: string, document: Document, edit: RoleEdit): readonly Splice[] {
  const top = document.contents;
  const roles = findPair(top, "roles");
  const list = roles?.value;
  const entry = isSeq(list) ? findEntry(list, edit.id) : undefined;
  const written = edit.kind === "remove" ? [top, list] : [top, list, entry];
  const flow = written.find(
    (node) => (isMap(node) || isSeq(node)) && node.flow === true && node.items.length > 0,
  );
  if (flow !== undefined) return editFlow(text, document, flow, edit);

  if (edit.kind === "remove") {
    return roles && isSeq(list) && entry ? removeEntry(text, roles, list, entry) : [];
  }
  if (entry) {
    return Object.entries(edit.fields).flatMap(([key, value]) => setField(text, entry, key, value));
  }
  const lines = renderEntry(newEntry(edit));
  if (isSeq(list) && list.items.length > 0) return [addToList(text, list, lines)];
  if (roles) return [beginList(text, roles, lines)];
  return [addRoles(text, isMap(top) ? columnOf(text, startOf(top)) : 0, lines)];
}

function findEntry(list: YAMLSeq, id: string): YAMLMap | undefined {
  for (const item of list.items) {
    const found = findPair(item, "id")?.value;
    if (isMap(item) && isScalar(found) && found.value === id) return item;
  }
  return undefined;
}

/** What is set, in the order a person would write it. */
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
  // A blank line that belongs to the value above (`|+`) must not get company.
  const kept = text.slice(lineStart(text, at), at).trim() === "";
  const gap = !kept && isSpaced(text, list) ? eol : "";
  return { start: at, end: at, text: `${eol}${gap}${indented(lines, column, eol)}` };
}

/** Are the entries apart by blank lines? One alone is, so that the second is easy to see. */
function isSpaced(text: string, list: YAMLSeq): boolean {
  if (list.items.length < 2) return true;
  const before = text.slice(0, lineStart(text, startOf(list.items.at(-1))));
  return /\n[ \t]*\r?\n(?:[ \t]*#[^\n]*\n)*$/.test(before);
}

/** `roles:` with nothing, `[]` or null behind it. */
function beginList(text: string, roles: Pair, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const valueEnd = endOfValue(text, roles);
  const end = lineEnd(text, valueEnd);
  const column = columnOf(text, startOf(roles.key)) + 2;
  const comment = text.slice(valueEnd, end);
  return {
    start: colonEnd(text, roles),
    end,
    text: `${comment}${eol}${indented(lines, column, eol)}`,
  };
}

function addRoles(text: string, column: number, lines: readonly string[]): Splice {
  const eol = lineEndOf(text);
  const unfinished = text !== "" && !text.endsWith("\n");
  const gap = text.trim() === "" || /\n[ \t]*\r?\n$/.test(text) ? "" : eol;
  const block = indented(
    ["roles:", ...lines.map((line) => (line ? `  ${line}` : ""))],
    column,
    eol,
  );
  return {
    start: text.length,
    end: text.length,
    text: `${unfinished ? eol : ""}${gap}${block}${eol}`,
  };
}

/** In `{…}` and `[…]` there are no lines to keep apart: the outermost one is written again. */
function editFlow(
  text: string,
  document: Document,
  flow: unknown,
  edit: RoleEdit,
): readonly Splice[] {
  if (!isMap(flow) && !isSeq(flow)) return [];
  const [start, end] = flow.range ?? [0, 0];
  applyToDocument(document, edit);
  return [{ start, end, text: renderFlow(flow, text) }];
}

function applyToDocument(document: Document, edit: RoleEdit): void {
  const list = findPair(document.contents, "roles")?.value;
  const at = isSeq(list) ? list.items.findIndex((item) => item === findEntry(list, edit.id)) : -1;
  if (edit.kind === "remove") {
    if (at >= 0) document.deleteIn(["roles", at]);
  } else if (at >= 0) {
    for (const [key, value] of Object.entries(edit.fields)) {
      if (value === null) document.deleteIn(["roles", at, key]);
      else document.setIn(["roles", at, key], document.createNode(onOneLine(value)));
    }
  } else {
    const entry = Object.entries(newEntry(edit)).map(([key, value]) => [key, onOneLine(value)]);
    const node = document.createNode(Object.fromEntries(entry));
    if (isSeq(list)) list.add(node);
    else document.set("roles", document.createNode([node]));
  }
}

/** Between braces a text of several lines would be folded. */
function onOneLine(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("\n")) return value;
  const node = new Scalar(value);
  node.type = Scalar.QUOTE_DOUBLE;
  return node;
}
