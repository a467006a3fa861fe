export type CsvCell = string | number | null | undefined;

/** Excel takes a file for UTF-8 only when it begins with this. */
const BOM = "\uFEFF";
/** A text that begins so is run as a formula by spreadsheets, also in full width. */
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
