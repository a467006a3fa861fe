import { fitColumns, padColumns, padColumnsStart, widthOf } from "./columns.ts";
import { PLAIN_STYLE, type Style } from "./style.ts";

export type Table = {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns whose cells are numbers stand at the right. By default found from the cells. */
  readonly numeric?: readonly boolean[];
};

export type TableSize = {
  /** undefined: as wide as the cells need. */
  readonly width?: number | undefined;
  readonly style?: Style;
};

const GAP = "  ";
const NARROWEST = 3;
const NUMBER = /^-?[\d,.]+$/;

/** A table as lines, and whether every cell is there as a whole. */
export function renderTable(
  { headings, rows, numeric }: Table,
  { width, style = PLAIN_STYLE }: TableSize = {},
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const natural = headings.map((heading, column) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const widths = width === undefined ? natural : shrink(natural, width);
  const isRight = headings.map(
    (_, column) =>
      numeric?.[column] ?? (rows.length > 0 && rows.every((row) => NUMBER.test(row[column] ?? ""))),
  );
  const line = (cells: readonly string[]) =>
    headings
      .map((_, column) => {
        const columns = widths[column] ?? 0;
        const cell = fitColumns(cells[column] ?? "", columns);
        return isRight[column] ? padColumnsStart(cell, columns) : padColumns(cell, columns);
      })
      .join(GAP)
      .trimEnd();
  const rule = widths.map((columns) => "─".repeat(columns)).join(GAP);
  return {
    lines: [style.bold(line(headings)), style.dim(rule), ...rows.map(line)],
    isWhole: natural.every((columns, column) => columns <= (widths[column] ?? 0)),
  };
}

/** Takes from the widest columns until the table fits. */
function shrink(natural: readonly number[], width: number): readonly number[] {
  const widths = [...natural];
  const sum = () => widths.reduce((total, columns) => total + columns, 0);
  const room = width - GAP.length * (widths.length - 1);
  while (sum() > room) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}
