import { expect, test } from "vitest";
import { fitColumns, padColumns, widthOf, wrapColumns } from "./columns.ts";
import { createStyle } from "./style.ts";

const { red, link } = createStyle({ colors: true, links: true });

test.each([
  ["abc", 3],
  ["残業時間", 8],
  ["ｱｲｳ", 3],
  ["ＡＢ", 4],
  ["✅ 完了", 7],
  ["⏹️", 2],
  ["👩‍💻", 2],
  ["e\u0301", 1],
  ["𠮷野家", 6],
  [red("赤"), 2],
  [link("here", "http://127.0.0.1/"), 4],
])("%j takes %i columns of a terminal", (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test("a line is cut before a wide letter that does not fit, and its colours stay closed", () => {
  expect(fitColumns("残業時間", 8)).toBe("残業時間");
  expect(fitColumns("残業時間", 7)).toBe("残業時…");
  expect(fitColumns("残業時間", 6)).toBe("残業…");
  expect(fitColumns(`${red("abcdef")}gh`, 4)).toBe(red("abc…"));
  expect(fitColumns("abc", 0)).toBe("");
});

test("text is padded to columns, not to letters", () => {
  expect(padColumns("完了", 6)).toBe("完了  ");
});

test("a long line is wrapped between words, and inside a word that is too long", () => {
  expect(wrapColumns("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapColumns("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  expect(wrapColumns("残業時間を集計", 6).every((line) => widthOf(line) <= 6)).toBe(true);
});
