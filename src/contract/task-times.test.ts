import { expect, test } from "vitest";
import { timesOf } from "./task-times.ts";

const at = (second: number) => new Date(Date.UTC(2026, 8, 1, 9, 0, second)).toISOString();

test("the time of a task counts all its attempts, and two approvals that wait at once count once", () => {
  const task = {
    createdAt: at(0),
    endedAt: at(50),
    approvals: [
      { createdAt: at(5), decidedAt: at(15) },
      { createdAt: at(10), decidedAt: at(20) },
      { createdAt: at(45), decidedAt: null },
    ],
  };
  expect(timesOf(task)).toEqual({ total: 50_000, waiting: 20_000 });
});

test("a task that has not ended has no total time", () => {
  expect(timesOf({ createdAt: at(0), endedAt: null, approvals: [] }).total).toBeUndefined();
});
