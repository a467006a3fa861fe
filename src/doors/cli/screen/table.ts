import { fitColumns, padColumns, padColumnsStart, widthOf } from "./columns.ts";
import { PLAIN_STYLE, type Style } from "./style.ts";

export type Table = {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns whose cells are numbers stand at the right. By default found from the cells. */
  readonly numeric?: readonly boolean[];
  /** Columns that are never cut, such as the ids that people copy. */
  readonly uncut?: readonly number[];
};

export type TableSize = {
  /** undefined: as wide as the cells need. */
  readonly width?: number | undefined;
  readonly style?: Style;
};

const GAP = "  ";
const NARROWEST = 3;
const NUMBER = /^-?[\d,.]+$/;
/** Where a heading may be broken: `overtimeMinutes`, `working_directory`, `Last message`. */
const BREAKS = /(?<=[a-z\d])(?=[A-Z])|(?<=[_\-/. ])/;

/** A table as lines, and whether every cell is there as a whole. */
export function renderTable(
  { headings, rows, numeric, uncut = [] }: Table,
  { width, style = PLAIN_STYLE }: TableSize = {},
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const needs = headings.map((heading, column) => ({
    heading: widthOf(heading),
    word: Math.max(...piecesOf(heading).map(widthOf)),
    cells: Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ""))),
    isCut: !uncut.includes(column),
  }));
  const widths = fitWidths(needs, width);
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
    lines: [
      ...headingRows(headings, widths).map((row) => style.bold(line(row))),
      style.dim(rule),
      ...rows.map(line),
    ],
    isWhole: needs.every(({ cells }, column) => cells <= (widths[column] ?? 0)),
  };
}

type Need = {
  readonly heading: number;
  readonly word: number;
  readonly cells: number;
  /** Whether the cells may be cut. */
  readonly isCut: boolean;
};

/** First headings are broken into several lines, then the widest cells are cut. */
function fitWidths(needs: readonly Need[], width: number | undefined): readonly number[] {
  const widths = needs.map(({ heading, cells }) => Math.max(heading, cells));
  if (width === undefined) return widths;
  const room = width - GAP.length * (widths.length - 1);
  const shrinkTo = (least: readonly number[]): void => {
    const excess = (column: number) => (widths[column] ?? 0) - (least[column] ?? 0);
    while (widths.reduce((sum, columns) => sum + columns, 0) > room) {
      const loose = widths.map((_, column) => column).filter((column) => excess(column) > 0);
      if (loose.length === 0) return;
      const widest = loose.reduce((one, other) =>
        (widths[other] ?? 0) > (widths[one] ?? 0) ? other : one,
      );
      widths[widest] = (widths[widest] ?? 0) - 1;
    }
  };
  shrinkTo(needs.map(({ word, cells }) => Math.max(word, cells)));
  shrinkTo(needs.map(({ cells, isCut }) => (isCut ? NARROWEST : cells)));
  return widths;
}

function piecesOf(heading: string): readonly string[] {
  return heading.split(BREAKS);
}

function headingRows(
  headings: readonly string[],
  widths: readonly number[],
): readonly (readonly string[])[] {
  const broken = headings.map((heading, column) => breakHeading(heading, widths[column] ?? 0));
  const height = Math.max(1, ...broken.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    broken.map((lines) => lines[row - (height - lines.length)] ?? ""),
  );
}

function breakHeading(heading: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const piece of piecesOf(heading)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last + piece) <= width)
      lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines;
}
