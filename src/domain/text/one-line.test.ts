import { expect, test } from "vitest";
import { oneLine } from "./one-line.ts";

test("oneLine joins lines with a space and drops empty ones", () => {
  expect(oneLine("  ✖ Too long\n  → at name\r\n\n ")).toBe("✖ Too long → at name");
});

test("oneLine reads a megabyte of spaces, which takes a backtracking expression minutes", () => {
  expect(oneLine(`key "${" ".repeat(1_000_000)}"`)).toHaveLength(1_000_006);
});
