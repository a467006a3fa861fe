import { expect, test } from "vitest";
import { BUILTIN_TOOLS } from "./builtin-tools.ts";

test("textlint is the only built-in role tool, with the specified description", () => {
  expect(BUILTIN_TOOLS).toEqual([
    {
      id: "textlint",
      name: "textlint",
      description: "文章の品質チェックツール。日本語の文法・表現ルールに基づいて問題を検出する",
      check: ["npx", "--no-install", "textlint", "--version"],
      promptInstructions: expect.stringContaining('npx --no-install textlint "README.md"'),
    },
  ]);
});

test("the instructions of textlint forbid a reviewing role to change files", () => {
  expect(BUILTIN_TOOLS[0]?.promptInstructions).toContain(
    "ファイルを変更しない（`--fix` も使わない）",
  );
});
