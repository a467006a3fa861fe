import { expect, test } from "vitest";
import { createUnfetched } from "./unfetched.ts";

test("a worker that could not fetch a commit is asked for the agent again after five minutes", () => {
  let now = 0;
  const unfetched = createUnfetched(() => now);
  unfetched.add("impl-code-1-a");
  expect([unfetched.has("impl-code-1-a"), unfetched.has("impl-code-2-b")]).toEqual([true, false]);
  now = 299_999;
  expect(unfetched.has("impl-code-1-a")).toBe(true);
  now = 300_000;
  expect(unfetched.has("impl-code-1-a")).toBe(false);
});
