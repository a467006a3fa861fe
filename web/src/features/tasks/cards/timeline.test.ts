import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const HOUR = 3_600_000;

test("a timeline without a long pause is in proportion", () => {
  const place = timelineOf([
    { start: 0, end: 4_000 },
    { start: 4_000, end: 7_000 },
    { start: 7_000, end: 10_000 },
  ]);
  expect([0, 5_000, 10_000].map(place)).toEqual([0, 50, 100]);
});

test("a pause longer than the work is folded, so that the work stays visible", () => {
  const place = timelineOf([
    { start: 0, end: 60_000 },
    { start: 9 * HOUR, end: 9 * HOUR + 60_000 },
  ]);
  expect(place(60_000)).toBeGreaterThan(30);
  expect(place(9 * HOUR)).toBeLessThan(70);
  expect(place(9 * HOUR + 60_000)).toBe(100);
});

test("times outside a timeline are clamped, also on a timeline of no length", () => {
  const place = timelineOf([{ start: 1_000, end: 1_000 }]);
  expect([0, 1_000].map(place)).toEqual([0, 0]);
  expect(place(99_000)).toBe(100);
});
