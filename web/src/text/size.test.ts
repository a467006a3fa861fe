import { expect, test } from "vitest";
import { sizeText } from "./size.ts";

test("a size is rounded to what a person compares", () => {
  const sizes = [0, 999, 1_000, 1_234, 99_960, 999_600, 5_368_709_120];
  expect(sizes.map(sizeText)).toEqual([
    "0 B",
    "999 B",
    "1 kB",
    "1.2 kB",
    "100 kB",
    "1 MB",
    "5.4 GB",
  ]);
});
