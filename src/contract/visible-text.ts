import { replaceUnseen } from "../domain/text/hidden-characters.ts";
import { oneLine } from "../domain/text/one-line.ts";

/**
 * A text as a person reads it before a decision: every character that cannot be seen is written as
 * `\u{…}`, and nothing is left out. Tabs and line ends stay, because they are layout; CRLF is a line
 * end. A backslash that would read as such an escape is escaped too, so that two different texts
 * never look the same.
 */
export function visibleText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return replaceUnseen(distinct(lines), (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** The same for a title, a name or a choice: such a text cannot add lines to what is shown. */
export function visibleLine(text: string): string {
  return replaceUnseen(distinct(text), escaped);
}

function distinct(text: string): string {
  return text.replaceAll("\\u{", `${escaped("\\")}u{`);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** The beginning of a text of several lines, shown on one: a line break is shown as a space. */
export function visiblePreview(text: string): string {
  return visibleLine(oneLine(text));
}
