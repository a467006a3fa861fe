import { visibleLine, visibleText } from "../../../src/contract/visible-text.ts";

/** Makes invisible characters visible in a text of any number of lines. */
export function visible(text: string): string {
  return visibleText(text);
}

/** The same for titles, names and values on one line. */
export function visibleName(text: string): string {
  return visibleLine(text);
}
