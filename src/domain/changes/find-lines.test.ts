import { expect, test } from "vitest";
import { findLines } from "./find-lines.ts";

const FILE = ["a", "b", "x", "c", "x"];

test("a comment stays where its lines are", () => {
  expect(findLines(FILE, ["x"], 3)).toBe(3);
});

test("a comment follows its lines to the nearest place with the same text", () => {
  expect(findLines(["new", ...FILE], ["b", "x"], 2)).toBe(3);
  expect(findLines(FILE, ["x"], 4)).toBe(3);
  expect(findLines(FILE, ["a"], 5)).toBe(1);
});

test("a comment whose lines are gone has no place", () => {
  expect(findLines(FILE, ["y"], 3)).toBeNull();
  expect(findLines([], ["a"], 1)).toBeNull();
  expect(findLines(FILE, [], 1)).toBeNull();
  expect(findLines(FILE, ["c", "x", "more"], 4)).toBeNull();
});
