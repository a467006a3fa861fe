import { escapeControls } from "../../../base/escape-controls.ts";
import { renderTable, type Table } from "../screen/table.ts";
import type { Console } from "./console.ts";

/** The answer of the REST route, for scripts. */
export function printJson(console: Pick<Console, "write">, answer: unknown): number {
  console.write(escapeControls(JSON.stringify(answer, null, 2)));
  return 0;
}

/** A list for people; on a terminal it fits the width, in a pipe nothing is cut. */
export function printTable(
  console: Pick<Console, "print" | "canRedraw" | "size" | "style">,
  { none, ...table }: Table & { readonly none: string },
): number {
  if (table.rows.length === 0) {
    console.print(none);
    return 0;
  }
  const width = console.canRedraw ? console.size().columns : undefined;
  console.print(renderTable(table, { width, style: console.style }).lines.join("\n"));
  return 0;
}
