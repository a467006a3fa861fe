import { expect, test } from "vitest";
import { compareVersions } from "./compare-versions.ts";

test.each([
  ["2.1.325", "2.1.325", 0],
  ["2.1.9", "2.1.10", -1],
  ["2.10.0", "2.9.9", 1],
  ["1.0", "1.0.0", 0],
  ["1.0.1", "1.0", 1],
  ["2026.09.18-7ae6800", "2026.09.18", 0],
  ["unknown", "0.0.1", -1],
])("compareVersions compares %s with %s by their numbers", (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign);
});
