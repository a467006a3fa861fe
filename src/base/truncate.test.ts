import { expect, test } from "vitest";
import { truncate, truncateStart } from "./truncate.ts";

test("truncate keeps the beginning of a long text and leaves a short one as it is", () => {
  expect(truncate("abcdef", 3)).toBe("abc…");
  expect(truncate("abc", 3)).toBe("abc");
  expect([truncate("abc", 0), truncate("abc", -5), truncate("", 0)]).toEqual(["…", "…", ""]);
});

test("truncateStart keeps the end of a long text and leaves a short one as it is", () => {
  expect(truncateStart("abcdef", 3)).toBe("…def");
  expect(truncateStart("abc", 3)).toBe("abc");
});

test("truncating drops a character that would be cut in half", () => {
  expect(truncate("ab🧙cd", 3)).toBe("ab…");
  expect(truncate("ab🧙cd", 4)).toBe("ab🧙…");
  expect(truncateStart("ab🧙cd", 3)).toBe("…cd");
  expect(truncateStart("ab🧙cd", 4)).toBe("…🧙cd");
});
