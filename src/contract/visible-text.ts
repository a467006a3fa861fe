import { replaceUnseen } from "../domain/text/hidden-characters.ts";
import { oneLine } from "../domain/text/one-line.ts";

/**
 * A text as shown to a person before a decision: every invisible character is written as `\u{…}`.
 * Tabs and line ends stay; CRLF becomes one line end. A backslash that would look like such an escape
 * is escaped too, so that two different texts never look the same.
 */
export function visibleText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return replaceUnseen(distinct(lines), (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

/** For a title, a name or a choice: line ends are escaped too, so that the text stays on one line. */
export function visibleLine(text: string): string {
  return replaceUnseen(distinct(text), escaped);
}

function distinct(text: string): string {
  return text.replaceAll("\\u{", `${escaped("\\")}u{`);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** A text of several lines on one line: line breaks become spaces. */
export function visiblePreview(text: string): string {
  return visibleLine(oneLine(text));
}
