import { expect, test } from "vitest";
import { extended, type LineRange, nextLine, rangeText } from "./cursor.ts";
import { linesOf } from "./patch-lines.ts";

const LINES = linesOf("@@ -1,2 +1,3 @@\n one\n-two\n+zwei\n+drei\n");
const at = (side: "old" | "new", line: number, endLine = line): LineRange => ({
  path: "a",
  side,
  line,
  endLine,
});

test("the keyboard steps through removed and added lines in the order of the patch", () => {
  expect(nextLine(LINES, null, 1)).toMatchObject({ side: "new", line: 1 });
  expect(nextLine(LINES, at("new", 1), 1)).toMatchObject({ side: "old", line: 2 });
  expect(nextLine(LINES, at("old", 2), 1)).toMatchObject({ side: "new", line: 2 });
  expect(nextLine(LINES, at("new", 3), 1)).toBeNull();
  expect(nextLine(LINES, at("new", 1), -1)).toBeNull();
  expect(nextLine(LINES, null, -1)).toMatchObject({ side: "new", line: 3 });
});

test("a range grows only over lines that the patch shows on its side", () => {
  expect(extended(LINES, at("new", 2), 1)).toMatchObject({ line: 2, endLine: 3 });
  expect(extended(LINES, at("new", 2, 3), 1)).toMatchObject({ line: 2, endLine: 3 });
  expect(extended(LINES, at("new", 2, 3), -1)).toMatchObject({ line: 1, endLine: 3 });
  expect(extended(LINES, at("old", 2), 1)).toMatchObject({ line: 2, endLine: 2 });
});

test("a range is written with its first and last line", () => {
  expect([rangeText({ line: 3, endLine: 3 }), rangeText({ line: 3, endLine: 9 })]).toEqual([
    "3",
    "3–9",
  ]);
});
