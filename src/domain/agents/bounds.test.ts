import { expect, test } from "vitest";
import { exceededBound, retrySeries, type Bounds } from "./bounds.ts";
import { NO_PROGRESS, type AgentProgress } from "./progress.ts";

const BOUNDS: Bounds = { maxRetries: 5, maxRetryTimeMs: 1, maxEvents: 100, maxToolCalls: 10 };
const UNBOUND: Bounds = { maxRetries: 0, maxRetryTimeMs: 0, maxEvents: 0, maxToolCalls: 0 };

const progress = (over: Partial<AgentProgress>): AgentProgress => ({ ...NO_PROGRESS, ...over });
const retries = (count: number, inARow: number) =>
  progress({ retries: { count, inARow, lastReason: "cut", lastFailure: null } });

test.each([
  ["retries in a row", retries(5, 5), retries(6, 6), "retry_limit"],
  ["events", progress({ lines: 100 }), progress({ lines: 101 }), "event_limit"],
  ["tools", progress({ toolCallCount: 10 }), progress({ toolCallCount: 11 }), "tool_call_limit"],
  [
    "tools that poll",
    progress({ toolCallCount: 4, pollCount: 6 }),
    progress({ toolCallCount: 4, pollCount: 7 }),
    "tool_call_limit",
  ],
])("an agent may reach the limit of %s but not pass it", (_what, allowed, passed, reason) => {
  expect(exceededBound(allowed, BOUNDS)).toBeNull();
  expect(exceededBound(passed, BOUNDS)).toBe(reason);
});

test("a limit of 0 ends no agent", () => {
  const much = { ...retries(999, 999), lines: 1e9, toolCallCount: 1e9 };

  expect(exceededBound(much, UNBOUND)).toBeNull();
});

test("retries that the model has answered in between do not count", () => {
  expect(exceededBound(retries(50, 1), BOUNDS)).toBeNull();
});

test("retrySeries tells one series of retries from the next", () => {
  expect(retrySeries(NO_PROGRESS)).toBeNull();
  expect(retrySeries(retries(3, 3))).toBe(retrySeries(retries(4, 4)));
  expect(retrySeries(retries(5, 1))).not.toBe(retrySeries(retries(4, 4)));
});
