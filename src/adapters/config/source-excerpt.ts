export type SourcePosition = {
  readonly path: string;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly sourceLine: string;
};

const MAX_WIDTH = 96;
const CONTEXT_BEFORE = 40;

/** The line with the problem, and a caret under the position. */
export function renderExcerpt({ line, column, sourceLine }: SourcePosition): string {
  const characters = Array.from(withoutPassword(sourceLine), printable);
  const caret = Array.from(sourceLine.slice(0, column - 1)).length;
  const start = caret > MAX_WIDTH ? caret - CONTEXT_BEFORE : 0;
  const shown = characters.slice(start, start + MAX_WIDTH);
  const head = start > 0 ? "…" : "";
  const tail = characters.length > start + MAX_WIDTH ? "…" : "";
  const before = `${head}${shown.slice(0, caret - start).join("")}`;
  const gutter = String(line);
  return [
    `  ${gutter} | ${head}${shown.join("")}${tail}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(widthOf(before))}^`,
  ].join("\n");
}

/** A syntax error may be in the line with the address of the database. Keeps the columns. */
function withoutPassword(line: string): string {
  return line.replaceAll(
    /(:\/\/)(\S*)@/g,
    (_, start: string, secret: string) => `${start}${"•".repeat(Array.from(secret).length)}@`,
  );
}

/** A file must not be able to send control sequences to the terminal that shows its errors. */
export function printable(character: string): string {
  if (character === "\t") return "→";
  return /\p{C}/u.test(character) ? "·" : character;
}

const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

/**
 * Japanese characters are two columns wide in a terminal; the caret must still be in the right
 * column.
 */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}
