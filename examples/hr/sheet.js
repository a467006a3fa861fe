// A sheet is a CSV file in the output directory, in place of a Google Sheet.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @param {string} directory
 * @param {{sheetName: string, rows: readonly Record<string, string | number | boolean>[], mode: "replace" | "append"}} wanted
 */
export function writeSheet(directory, { sheetName, rows, mode }) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${fileName(sheetName)}.csv`);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const header = toLine(columns);
  const before = mode === "append" && existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before !== "" && !before.startsWith(`${header}\n`)) {
    throw new Error(
      isJapanese(sheetName)
        ? `シート「${sheetName}」の列が違うので、追記できません。`
        : `The sheet “${sheetName}” has other columns, so nothing was appended.`,
    );
  }
  const lines = rows.map((row) => toLine(columns.map((column) => row[column] ?? "")));
  // Written to a temporary file and renamed: a reader never sees half a sheet.
  writeFileSync(`${path}.new`, `${[before.trimEnd() || header, ...lines].join("\n")}\n`);
  renameSync(`${path}.new`, path);
  return { path, rowsWritten: rows.length, mode: before === "" ? "replace" : "append" };
}

/** Texts without Japanese letters get an English answer. @param {string} text */
export function isJapanese(text) {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text);
}

/** Replaces characters that file names cannot have by _. @param {string} sheetName */
function fileName(sheetName) {
  const safe = sheetName
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, "_")
    .trim()
    .replace(/^\.+/, "_");
  return Array.from(safe).slice(0, 60).join("") || "sheet";
}

/** @param {readonly (string | number | boolean)[]} cells */
function toLine(cells) {
  return cells
    .map(String)
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");
}
