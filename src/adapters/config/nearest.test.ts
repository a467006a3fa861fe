import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

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
])("%s probably means %s", (word, meant) => {
  expect(nearest(word, KNOWN)).toBe(meant);
});

test.each(["", "x", "slack", "budget", "p".repeat(100_000)])("%.20s means none of them", (word) => {
  expect(nearest(word, KNOWN)).toBeUndefined();
});
