import { expect, test } from "vitest";
import { defaultConfig } from "./config/defaults.ts";
import { sizeText } from "./size-text.ts";

test("a size is rounded to what a person compares", () => {
  const sizes = [0, 1_023, 1_024, 1_234, 102_350, 1_048_500, 5_368_709_120];
  expect(sizes.map(sizeText)).toEqual([
    "0 B",
    "1023 B",
    "1 KB",
    "1.2 KB",
    "100 KB",
    "1 MB",
    "5 GB",
  ]);
});

test("the disk limit of worktrees is a round number in the units of its setting", () => {
  expect(sizeText(defaultConfig().workspace.maxTotal_mb * 1_048_576)).toBe("20 GB");
});
