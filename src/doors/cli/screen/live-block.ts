import { fitColumns, widthOf } from "./columns.ts";

export type Size = { readonly columns: number; readonly rows: number };
export type Draw = (size: Size) => readonly string[];

/** The bytes that replace the lines drawn before, which end at the cursor, by others. */
export function replaceLines(
  drawn: readonly string[],
  lines: readonly string[],
  { columns, rows }: Size,
): { readonly bytes: string; readonly drawn: readonly string[] } {
  // One column stays free: a full line would move the cursor to the next one on some terminals.
  // One row stays free for the cursor, else the top could not be reached again.
  const fitted = lines.slice(0, Math.max(1, rows - 1)).map((line) => fitColumns(line, columns - 1));
  const bytes = eraseLines(drawn, columns) + fitted.map((line) => `${line}\n`).join("");
  return { bytes, drawn: fitted };
}

/** A terminal that became narrower has wrapped what was drawn, so lines count by their width now. */
export function eraseLines(drawn: readonly string[], columns: number): string {
  if (drawn.length === 0) return "";
  const height = drawn.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / Math.max(1, columns))),
    0,
  );
  return `\u001B[${height}A\r\u001B[J`;
}
