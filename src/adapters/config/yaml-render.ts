import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { isRecord } from "../../base/narrow.ts";
import { columnOf, isBlockScalar, startOf } from "./yaml-source.ts";

/** A value as YAML: the rest of the key's line, and the lines below it, relative to the key. */
export type Rendered = { readonly head: string; readonly body: readonly string[] };

/** Folding the user's long lines would change what people see in a diff. */
const AS_WRITTEN = { lineWidth: 0 } as const;

export function renderEntry(entry: Readonly<Record<string, unknown>>): readonly string[] {
  return linesOf(new Document([quoted(entry)]).toString(AS_WRITTEN));
}

export function renderPair(key: string, value: unknown): readonly string[] {
  return linesOf(new Document(quoted({ [key]: value })).toString(AS_WRITTEN));
}

function quoted(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      typeof value === "string" ? scalarLike(undefined, value) : value,
    ]),
  );
}

/**
 * Renders in the style of the replaced value: quotes, block or flow, comments of items that stay.
 */
export function renderLike(
  old: unknown,
  value: unknown,
  text: string,
  keyColumn: number,
): Rendered {
  const document = new Document({ key: null });
  document.set("key", nodeLike(document, old, value));
  const indented = !isSeq(old) || columnOf(text, startOf(old)) > keyColumn;
  const options = { ...AS_WRITTEN, ...paddingOf(old, text), indentSeq: indented };
  const [first = "", ...body] = linesOf(document.toString(options));
  return { head: first.slice("key:".length).replaceAll(/^ +| +$/g, ""), body };
}

/** Renders a flow collection in its own style. */
export function renderFlow(node: YAMLMap | YAMLSeq, text: string): string {
  const document = new Document(withoutOuterComments(node));
  return document.toString({ ...AS_WRITTEN, ...paddingOf(node, text) }).trimEnd();
}

function nodeLike(document: Document, old: unknown, value: unknown): unknown {
  if (typeof value === "string") return scalarLike(old, value);
  if (Array.isArray(value) && isSeq(old)) {
    const items: unknown[] = old.items;
    old.items = value.map((item: unknown) => {
      const same = items.find((node) => isScalar(node) && node.value === item);
      return same ?? document.createNode(item);
    });
    return withoutOuterComments(old);
  }
  if (isMap(old) && isRecord(value)) {
    const wanted = new Map<string, unknown>(Object.entries(value));
    old.items = old.items.filter(({ key }) => isScalar(key) && wanted.has(String(key.value)));
    for (const [key, item] of wanted) {
      if (old.get(key) !== item) old.set(key, document.createNode(item));
    }
    return withoutOuterComments(old);
  }
  return document.createNode(value);
}

/** These comments are outside the replaced text and would be duplicated. */
function withoutOuterComments<Node extends YAMLMap | YAMLSeq>(node: Node): Node {
  delete node.comment;
  delete node.commentBefore;
  delete node.spaceBefore;
  return node;
}

function scalarLike(old: unknown, value: string): Scalar<string> {
  const node = new Scalar(value);
  // In a block these blank lines would merge with those of the file.
  if (/(?:^|\n)\n$/.test(value)) node.type = Scalar.QUOTE_DOUBLE;
  else if (value.includes("\n") || isBlockScalar(old)) node.type = Scalar.BLOCK_LITERAL;
  else if (isScalar(old) && (old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE")) {
    node.type = old.type;
  }
  return node;
}

function paddingOf(old: unknown, text: string): { flowCollectionPadding: boolean } {
  const start = startOf(old);
  return {
    flowCollectionPadding: isCollection(old) && old.flow === true && text[start + 1] === " ",
  };
}

function linesOf(rendered: string): readonly string[] {
  return rendered.replace(/\n$/, "").split("\n");
}
