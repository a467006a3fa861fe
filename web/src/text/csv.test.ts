import { expect, test } from "vitest";
import { csvText } from "./csv.ts";

test("a spreadsheet reads it as UTF-8, with rows that end as it expects", () => {
  expect(
    csvText([
      ["名前", "数"],
      ["葵", 3],
    ]),
  ).toBe("\uFEFF名前,数\r\n葵,3\r\n");
});

test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "|calc"])(
  "%j is text to a spreadsheet, not a formula",
  (cell) => {
    expect(csvText([[cell]])).toMatch(/^\uFEFF"?'/);
  },
);

test("numbers stay numbers, also negative ones; what is missing is empty", () => {
  expect(csvText([[-5, 0.25, null, undefined]])).toBe("\uFEFF-5,0.25,,\r\n");
});

test("commas, quotes and lines stay inside their cell", () => {
  expect(csvText([['a "b", c\nd', "e"]])).toBe('\uFEFF"a ""b"", c\nd",e\r\n');
});
