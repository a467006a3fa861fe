import { isCollection, isMap, isNode, isPair, isScalar, type Node, type Pair, Scalar } from "yaml";

/** A replacement in the text of a YAML file that leaves the rest unchanged. */
export type Splice = { readonly start: number; readonly end: number; readonly text: string };

export function applySplices(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((one, other) => other.start - one.start)
    .reduce((done, { start, end, text: by }) => done.slice(0, start) + by + done.slice(end), text);
}

/** The line end that most lines of the file have. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const all = text.match(/\n/g)?.length ?? 0;
  const windows = text.match(/\r\n/g)?.length ?? 0;
  return windows * 2 > all ? "\r\n" : "\n";
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The position before the line's end, LF or CRLF. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  if (newline === -1) return text.length;
  return newline > offset && text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** The start of the next line. */
export function nextLine(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline + 1;
}

/** The lines joined, each indented by `column` characters. */
export function indented(lines: readonly string[], column: number, eol: string): string {
  const indent = " ".repeat(column);
  return lines.map((line) => (line === "" ? "" : indent + line)).join(eol);
}

/** The end of a list entry, including lines commented out inside it. */
export function endOfEntry(text: string, contentEndsAt: number, dashColumn: number): number {
  const commentLine = /\r?\n( *)#[^\r\n]*/y;
  let end = lineEnd(text, contentEndsAt);
  for (;;) {
    commentLine.lastIndex = end;
    const found = commentLine.exec(text);
    if (!found || (found[1] ?? "").length <= dashColumn) return end;
    end = commentLine.lastIndex;
  }
}

export function isBlockScalar(node: unknown): node is Scalar {
  return (
    isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED)
  );
}

export function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The position after the last character of the node, without comments and blank lines. */
export function contentEnd(text: string, node: Node): number {
  if (isCollection(node) && !node.flow) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOfValue(text, last);
    return isNode(last) ? contentEnd(text, last) : startOf(node);
  }
  const [start, end] = node.range ?? [0, 0];
  if (!isBlockScalar(node)) return end;
  const source = text.slice(start, end);
  // With `|+` the trailing blank lines are part of the value.
  const kept = /^[|>]\d?\+/.test(source) ? source.replace(/\r?\n$/, "") : source.trimEnd();
  return start + kept.length;
}

/** The position after a pair's value, or after the colon if there is none. */
export function endOfValue(text: string, pair: Pair): number {
  const colon = colonEnd(text, pair);
  if (!isNode(pair.value)) return colon;
  const end = contentEnd(text, pair.value);
  // An empty value is positioned after the spaces, but a comment there needs them.
  return text.slice(colon, end).trim() === "" ? colon : end;
}

/** The position after the colon of `key:`. */
export function colonEnd(text: string, pair: Pair): number {
  const keyEnd = isNode(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  return text.indexOf(":", keyEnd) + 1;
}

/** The pair with this key, in whatever quotes. */
export function findPair(map: unknown, key: string): Pair | undefined {
  return isMap(map)
    ? map.items.find((pair) => isScalar(pair.key) && pair.key.value === key)
    : undefined;
}
