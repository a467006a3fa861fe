import { expect, test } from "vitest";
import { firstLine } from "./first-line.ts";

test.for([
  ["# まとめ\n\n- 一つ", "まとめ"],
  ["\n\n---\n- **Wrote** `a.ts`", "Wrote a.ts"],
  ["1. first\n2. second", "first"],
  ["   ", ""],
  ["> quoted", "quoted"],
] as const)("firstLine of %j is %j", ([text, line]) => {
  expect(firstLine(text)).toBe(line);
});
