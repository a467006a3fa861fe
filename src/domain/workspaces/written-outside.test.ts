import { expect, test } from "vitest";
import { writtenOutside } from "./written-outside.ts";

const WORKTREE = "/data/workspaces/r1/wsp-1";
const CHECKOUT = "/home/hana/shop";

const outside = (file: string, checkout = CHECKOUT) =>
  writtenOutside([file], WORKTREE, checkout).length === 1;

test.each([
  [`${CHECKOUT}/a.txt`, true],
  ["/data/workspaces/r1/wsp-2/a.txt", true],
  ["/home/hana/.bashrc", true],
  ["/home/hana/shop-2/a.txt", true],
  [`${WORKTREE}/a.txt`, false],
  ["src/a.ts", false],
  ["/tmp/plan.md", false],
  ["/dev/null", false],
])("writing %s is outside the worktree: %s", (file, isOutside) => {
  expect(outside(file)).toBe(isOutside);
});

test("a checkout among the temporary files is still not the agent's", () => {
  expect(outside("/tmp/shop/a.txt", "/tmp/shop")).toBe(true);
});
