export type CsvCell = string | number | null | undefined;

/** Excel reads a file as UTF-8 only if it begins with this byte order mark. */
const BOM = "\uFEFF";
/** Spreadsheets run cells that begin like this as formulas (CSV injection), also in full width. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠|]|^[\t\r\n]/;

export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return BOM + rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
