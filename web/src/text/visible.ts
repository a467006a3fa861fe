import { visibleLine, visibleText } from "../../../src/contract/visible-text.ts";

/** A text with every invisible character written out, on any number of lines. */
export function visible(text: string): string {
  return visibleText(text);
}

/** The same for titles, names and values that stand on one line. */
export function visibleName(text: string): string {
  return visibleLine(text);
}
