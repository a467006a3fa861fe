import { expect, test } from "vitest";
import { widthOf } from "./columns.ts";
import { valueLines } from "./value-lines.ts";

const SHEET = {
  sheet: "残業時間",
  rows: [
    { 社員: "佐藤", 部署: "営業", 分: 1200 },
    { 社員: "鈴木一郎", 部署: "開発", 分: 45, メモ: "在宅" },
  ],
};

test("a list of objects is a table with every column of any row; numbers stand at the right", () => {
  expect(valueLines(SHEET).lines).toEqual([
    "sheet  残業時間",
    "rows",
    "  社員      部署    分  メモ",
    "  ────────  ────  ────  ────",
    "  佐藤      営業  1200",
    "  鈴木一郎  開発    45  在宅",
  ]);
});

test("a table that is too wide is cut in its widest columns and says so", () => {
  const rows = [{ name: "a", text: "x".repeat(100) }];

  const { lines, isWhole } = valueLines(rows, { width: 30 });

  expect(isWhole).toBe(false);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(30);
  expect(lines.at(-1)).toContain("…");
});

test("other values are lines with a name; long texts are wrapped, nothing is cut", () => {
  const text = "word ".repeat(30).trim();

  const { lines, isWhole } = valueLines({ to: "@jinji", text, urgent: true }, { width: 40 });

  expect(isWhole).toBe(true);
  expect(lines.join(" ").match(/word/g)).toHaveLength(30);
  expect(lines[0]).toBe("to      @jinji");
  expect(lines.at(-1)).toBe("urgent  true");
});

test("a cell cannot add lines to its table, and hidden characters are written out", () => {
  expect(valueLines([{ a: "one\ntwo\u202E" }]).lines.at(-1)).toBe("one\\u{A}two\\u{202E}");
});
