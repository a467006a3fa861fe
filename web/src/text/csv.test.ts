import { expect, test } from "vitest";
import { csvText } from "./csv.ts";

test("a CSV export starts with a UTF-8 mark and ends rows with CRLF", () => {
  expect(
    csvText([
      ["名前", "数"],
      ["葵", 3],
    ]),
  ).toBe("\uFEFF名前,数\r\n葵,3\r\n");
});

test.each(["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "|calc"])(
  "a CSV export writes %j as text, not as a formula",
  (cell) => {
    expect(csvText([[cell]])).toMatch(/^\uFEFF"?'/);
  },
);

test("a CSV export keeps numbers, also negative ones, and leaves missing values empty", () => {
  expect(csvText([[-5, 0.25, null, undefined]])).toBe("\uFEFF-5,0.25,,\r\n");
});

test("a CSV export keeps commas, quotes and line breaks inside their cell", () => {
  expect(csvText([['a "b", c\nd', "e"]])).toBe('\uFEFF"a ""b"", c\nd",e\r\n');
});
