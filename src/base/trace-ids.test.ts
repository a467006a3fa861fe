import { expect, test } from "vitest";
import { spanIdOf, traceIdOf } from "./trace-ids.ts";

test("trace and span ids have the lengths that W3C asks for and follow from the id of a row", () => {
  expect(traceIdOf("task-01")).toMatch(/^[0-9a-f]{32}$/);
  expect(spanIdOf("task-01")).toMatch(/^[0-9a-f]{16}$/);
  expect(traceIdOf("task-01")).toBe(traceIdOf("task-01"));
});

test("ten thousand rows have ten thousand trace ids and span ids", () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => `impl-code-1794733200-${index}`);

  expect(new Set(rows.map(traceIdOf)).size).toBe(rows.length);
  expect(new Set(rows.map(spanIdOf)).size).toBe(rows.length);
});
