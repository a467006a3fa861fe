import { expect, test } from "vitest";
import { nearest, nearestFew } from "./nearest.ts";

const KNOWN = ["port", "maxConcurrent", "defaultTimeout_ms", "runner", "env"];

test.each([
  ["prot", "port"],
  ["Port", "port"],
  ["ports", "port"],
  ["max-concurrent", "maxConcurrent"],
  ["maxConcurent", "maxConcurrent"],
  ["defaultTimeoutMs", "defaultTimeout_ms"],
  ["runer", "runner"],
  ["envs", "env"],
])("nearest corrects %s to %s", (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test.each(["", "x", "slack", "budget", "p".repeat(100_000)])(
  "nearest finds no word similar to %.20s",
  (word) => {
    expect(nearest(word, KNOWN)).toBeUndefined();
  },
);

test("nearestFew returns the closest word first", () => {
  const known = ["gpt-5", "claude-4-opus", "claude-4.5-sonnet", "claude-4-sonnet"];
  expect(nearestFew("claude-4-sonet", known, 2)).toEqual(["claude-4-sonnet", "claude-4.5-sonnet"]);
});
