import { findNodeAtLocation, type Node, parseTree, stripComments } from "jsonc-parser";
import { lineEndOf, withValue } from "./merged-text.ts";

const DEFAULT_INDENT = "  ";

/**
 * Sets one value of a JSON text with comments. Everything else stays as it is, also comments that
 * follow the last property, which the edits of the parser's library would move.
 */
export function setJson(text: string, keys: readonly string[], value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) throw new Error("The text has no JSON value.");
  for (let depth = keys.length; depth >= 0; depth--) {
    const node = findNodeAtLocation(root, keys.slice(0, depth));
    if (!node) continue;
    const [key, ...rest] = keys.slice(depth);
    if (key === undefined) return replaceValue(text, node, value);
    const nested = rest.length === 0 ? value : withValue({}, rest, value);
    return insertProperty(text, node, key, nested);
  }
  return text;
}

function replaceValue(text: string, { offset, length }: Node, value: unknown): string {
  const isInline = !text.slice(0, offset).includes("\n");
  const rendered = isInline ? JSON.stringify(value) : render(text, value, indentAt(text, offset));
  return text.slice(0, offset) + rendered + text.slice(offset + length);
}

function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  if (!last) {
    const outer = indentAt(text, object.offset);
    const property = propertyText(text, key, value, outer + unitOf(text));
    const end = lineEndOf(text);
    const start = text.slice(0, object.offset + 1);
    const comment = text.slice(object.offset + 1, close).trimEnd();
    return `${start}${comment}${end}${property}${end}${outer}${text.slice(close)}`;
  }
  const lastEnd = last.offset + last.length;
  const comma = stripComments(text.slice(lastEnd, close)).includes(",") ? "" : ",";
  const head = text.slice(0, lastEnd) + comma;
  const rest = text.slice(lastEnd, close);
  const between = rest.trimEnd();
  if (!text.slice(object.offset, close).includes("\n")) {
    const property = `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return `${head}${between} ${property}${rest.slice(between.length)}${text.slice(close)}`;
  }
  const property = propertyText(text, key, value, indentAt(text, last.offset));
  const end = lineEndOf(text);
  return `${head}${between}${end}${property}${end}${indentAt(text, object.offset)}${text.slice(close)}`;
}

function propertyText(text: string, key: string, value: unknown, indent: string): string {
  return `${indent}${JSON.stringify(key)}: ${render(text, value, indent)}`;
}

function render(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", lineEndOf(text) + indent);
}

/** The white space at the beginning of the line. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The indent of the first indented key. */
function unitOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? DEFAULT_INDENT;
}
