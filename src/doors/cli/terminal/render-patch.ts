import { visibleText } from "../../../contract/visible-text.ts";
import type { Style } from "../screen/style.ts";

/**
 * A unified diff as lines of a terminal. Every invisible character is written out, so a file cannot
 * draw on the terminal. The carriage return of a line end is shown only where line ends differ.
 */
export function patchLines(patch: string, style: Style): readonly string[] {
  const lines = patch.replace(/\n$/, "").split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  const content = start === -1 ? [] : lines.slice(start).filter((line) => /^[ +-]/.test(line));
  const isDos = content.length > 0 && content.every((line) => line.endsWith("\r"));
  return lines.map((line, index) => {
    const text = visibleText(isDos && line.endsWith("\r") ? line.slice(0, -1) : line);
    if (start === -1 || index < start) return style.bold(text);
    if (line.startsWith("@@")) return style.cyan(text);
    if (line.startsWith("+")) return style.green(text);
    return line.startsWith("-") ? style.red(text) : text;
  });
}
