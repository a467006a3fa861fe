import { expect, test } from "vitest";
import { lineAt, linesOf } from "./patch-lines.ts";

const PATCH = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -1,3 +1,4 @@ function x() {
 one
-two
+zwei
+--- drei
 three
@@ -10 +11 @@
-ten
\\ No newline at end of file
+ten!
`;

test("the lines of a patch have the numbers of their own side, hunk by hunk", () => {
  expect(linesOf(PATCH).map(({ kind, side, line, text }) => [kind, side, line, text])).toEqual([
    ["same", "new", 1, "one"],
    ["removed", "old", 2, "two"],
    ["added", "new", 2, "zwei"],
    ["added", "new", 3, "--- drei"],
    ["same", "new", 4, "three"],
    ["removed", "old", 10, "ten"],
    ["added", "new", 11, "ten!"],
  ]);
});

test("a line that a hunk leaves out is not shown by the patch", () => {
  const lines = linesOf(PATCH);
  expect(lineAt(lines, "new", 3)?.text).toBe("--- drei");
  expect(lineAt(lines, "new", 7)).toBeUndefined();
  expect(lineAt(lines, "old", 11)).toBeUndefined();
});

test("an unchanged line is found by its number on either side", () => {
  const lines = linesOf(PATCH);
  expect(lineAt(lines, "old", 3)).toMatchObject({ side: "new", line: 4, text: "three" });
  expect(lineAt(lines, "new", 4)).toMatchObject({ text: "three" });
});

test("a patch without hunks has no lines", () => {
  expect(linesOf("diff --git a/x b/x\nsimilarity index 100%\n")).toEqual([]);
});
