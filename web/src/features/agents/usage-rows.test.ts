import { expect, test } from "vitest";
import { keyOf, mergeRows, sumOf, type UsageRow } from "./usage-rows.ts";

function row(over: Partial<UsageRow> = {}): UsageRow {
  return {
    runner: "cursor",
    model: "sonnet",
    role: "impl-code",
    agents: 1,
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 5,
    cacheWriteTokens: 1,
    cost: 2,
    currency: "USD",
    reason: null,
    ...over,
  };
}

test("rows of the same role, runner and model become one, with all their figures added", () => {
  const merged = mergeRows([row(), row({ agents: 2, inputTokens: 50, cost: 0.5 })]);

  expect(merged).toEqual([
    row({
      agents: 3,
      inputTokens: 150,
      outputTokens: 20,
      cacheReadTokens: 10,
      cacheWriteTokens: 2,
      cost: 2.5,
    }),
  ]);
});

test("another role, runner or model stays a row of its own, in the order they came", () => {
  const rows = [row(), row({ role: "review" }), row({ runner: "claude" }), row({ model: "opus" })];

  expect(mergeRows(rows)).toEqual(rows);
  expect(new Set(rows.map(keyOf)).size).toBe(rows.length);
});

test("what has no price is not mixed with what has one", () => {
  const unpriced = row({ cost: null, reason: "no price" });
  const unknown = row({ cost: null, reason: "no usage", inputTokens: 0 });

  const merged = mergeRows([row(), unpriced, unknown, unpriced, row()]);

  expect(merged).toMatchObject([
    { cost: 4, reason: null, agents: 2 },
    { cost: null, reason: "no price", agents: 2, inputTokens: 200 },
    { cost: null, reason: "no usage", agents: 1 },
  ]);
});

test("names that run into each other are still different rows", () => {
  expect(keyOf(row({ role: "a", runner: "bc" }))).not.toBe(keyOf(row({ role: "ab", runner: "c" })));
});

test("merging changes none of the rows it was given", () => {
  const rows = [row(), row()];

  mergeRows(rows);

  expect(rows).toEqual([row(), row()]);
});

test("a sum says whether something in it has no price", () => {
  expect(sumOf([row(), row({ cost: 0.5 })])).toEqual({
    cost: 2.5,
    currency: "USD",
    isPartial: false,
  });
  expect(sumOf([row({ cost: null, reason: "no price" }), row({ currency: "JPY" })])).toEqual({
    cost: 2,
    currency: "JPY",
    isPartial: true,
  });
});

test("what costs nothing is known; what has no price is not", () => {
  expect(sumOf([row({ cost: 0 })])).toEqual({ cost: 0, currency: "USD", isPartial: false });
  expect(sumOf([row({ cost: null, reason: "no price" })])).toBeNull();
  expect(sumOf([])).toBeNull();
});
