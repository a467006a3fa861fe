import { expect, test } from "vitest";
import { isLargerThan } from "./json-size.ts";

const LIMITS = { chars: 10, values: 4 };

test("isLargerThan counts the characters of keys and texts", () => {
  expect(isLargerThan({ abc: "0123456" }, LIMITS)).toBe(false);
  expect(isLargerThan({ abcd: "0123456" }, LIMITS)).toBe(true);
});

test("isLargerThan counts every value, also the empty ones", () => {
  expect(isLargerThan([[], null, 0], LIMITS)).toBe(false);
  expect(isLargerThan([[], null, 0, {}], LIMITS)).toBe(true);
});

test("isLargerThan stops at the limit", () => {
  let read = 0;
  const endless = Array.from({ length: 1_000 }, () => ({
    get next() {
      return ++read;
    },
  }));

  expect(isLargerThan(endless, LIMITS)).toBe(true);
  expect(read).toBeLessThan(5);
});

test("isLargerThan measures a value of any depth", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 1_000_000; level++) deep = [deep];

  expect(isLargerThan(deep, { chars: 0, values: 2_000_000 })).toBe(false);
});
