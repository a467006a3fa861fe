import { expect, test } from "vitest";
import { durationMs } from "./duration.ts";

test.each([
  ["3h20m5s", 12_005_000],
  ["34.07s", 34_070],
  ["900ms", 900],
  ["1d2h", 93_600_000],
  ["soon", undefined],
  ["", undefined],
])("the duration %j is %j ms", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});
