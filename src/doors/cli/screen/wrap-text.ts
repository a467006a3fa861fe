import { ESCAPE, isWide, widthOf } from "./columns.ts";

let words: Intl.Segmenter | undefined;
/** A command that a person copies: in backticks, or at the end of a line. */
const COMMAND =
  /`[^`]+`|(?<=: )(?:[\u0021-\u007e]+ )*[\u0021-\u007e]*kuromajutsu[\u0021-\u007e]*(?: [\u0021-\u007e]+)*$/;
/** A line that is a command and nothing else; a line break inside it would be copied too. */
const COMMAND_LINE = /^\s+(?:npx )?\S*kuromajutsu(?:\.js)? [a-z]/;
/** Must not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}。、．，・：；！？ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…]/u;
/** Must not end a line. */
const OPENING = /[\p{Ps}\p{Pi}]$/u;
/** Where the following lines of a paragraph begin: under the text of a list item. */
const INDENT = /^\s*(?:(?:\d+\.|[-*•●→!]|\p{Extended_Pictographic}\uFE0F?)\s+)?/u;
const NARROWEST = 20;

/**
 * Wraps each line of a text that is wider than the terminal, between words; colours take no width.
 * A command to copy is left to the terminal: a line of its own, or one that contains `kept`.
 */
export function wrapText(text: string, columns: number, kept?: string): string {
  if (columns < NARROWEST) return text;
  const isLeft = (line: string) =>
    widthOf(line) <= columns ||
    COMMAND_LINE.test(line) ||
    (kept !== undefined && line.includes(kept));
  return text
    .split("\n")
    .map((line) => (isLeft(line) ? line : wrapLine(line, columns)))
    .join("\n");
}

function wrapLine(line: string, columns: number): string {
  const [indent = ""] = INDENT.exec(line.replaceAll(ESCAPE, "")) ?? [];
  const hanging = widthOf(indent) < columns / 2 ? " ".repeat(widthOf(indent)) : "";
  let wrapped = "";
  let used = 0;
  for (const { text, width } of unbreakable(line)) {
    if (used + width > columns && used > hanging.length) {
      wrapped = `${wrapped.trimEnd()}\n${hanging}`;
      used = hanging.length;
      if (text.trim() === "") continue;
    }
    wrapped += text;
    used += width;
  }
  return wrapped.trimEnd();
}

type Part = { readonly text: string; readonly width: number };

/** Parts between which a line may be broken. A part longer than a line is left to the terminal. */
function unbreakable(line: string): readonly Part[] {
  const parts: Part[] = [];
  let open = "";
  const close = () => {
    if (open !== "") parts.push({ text: open, width: widthOf(open) });
    open = "";
  };
  for (const piece of piecesOf(line)) {
    const [before, after] = [open.replaceAll(ESCAPE, ""), piece.replaceAll(ESCAPE, "")];
    if (after !== "" && before !== "" && mayBreak(before, after)) close();
    open += piece;
  }
  close();
  return parts;
}

function mayBreak(before: string, after: string): boolean {
  if (/\s$/.test(before) || /^\s/.test(after)) return true;
  if (CLOSING.test(after) || OPENING.test(before)) return false;
  // Words of languages without spaces; a name, a path or an address stays whole.
  return isWide(lastLetter(before)) || isWide(after);
}

function lastLetter(text: string): string {
  return Array.from(text).at(-1) ?? "";
}

/** Escape sequences, commands, and words. */
function* piecesOf(line: string): Iterable<string> {
  let from = 0;
  for (const match of line.matchAll(new RegExp(`${ESCAPE.source}|${COMMAND.source}`, "gu"))) {
    yield* wordsOf(line.slice(from, match.index));
    yield match[0];
    from = match.index + match[0].length;
  }
  yield* wordsOf(line.slice(from));
}

function* wordsOf(text: string): Iterable<string> {
  // Most commands print short lines and never need it.
  words ??= new Intl.Segmenter("ja", { granularity: "word" });
  for (const { segment } of words.segment(text)) yield segment;
}

type Output = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

/** Writes prose: wrapped on a terminal, as it is in a pipe. */
export function writeWrapped(output: Output, text: string, kept?: string): void {
  output.write(output.isTTY && output.columns ? wrapText(text, output.columns, kept) : text);
}
