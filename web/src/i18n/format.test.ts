import { expect, test } from "vitest";
import { createFormat } from "./format.ts";

const ja = createFormat("ja");
const en = createFormat("en");

test.each([
  [0, "0.0 秒", "0.0 s"],
  [15_230, "15.2 秒", "15.2 s"],
  [59_940, "59.9 秒", "59.9 s"],
  [59_960, "1 分 0 秒", "1 min 0 s"],
  [105_400, "1 分 45 秒", "1 min 45 s"],
  [7_500_000, "2 時間 5 分", "2 h 5 min"],
  [-5, "0.0 秒", "0.0 s"],
])("%d ms that have passed are %s and %s", (ms, japanese, english) => {
  expect(ja.took(ms)).toBe(japanese);
  expect(en.took(ms)).toBe(english);
});

test("a duration that still counts has whole seconds", () => {
  expect(ja.duration(15_900)).toBe("15 秒");
  expect(en.duration(105_900)).toBe("1 min 45 s");
  expect(en.duration(-1)).toBe("0 s");
});
