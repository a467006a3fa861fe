import { expect, test } from "vitest";
import { keyOf, mergeRows, modelOf, sumOf, type UsageRow } from "./usage-rows.ts";

function row(over: Partial<UsageRow> = {}): UsageRow {
  return {
    runner: "cursor",
    model: "sonnet",
    role: "impl-code",
    reportedModel: null,
    costUsd: null,
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

test("usage rows with the same role, runner and model are merged, with all figures added", () => {
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

test("usage rows with another role, runner or model stay separate, in their order", () => {
  const rows = [row(), row({ role: "review" }), row({ runner: "claude" }), row({ model: "opus" })];

  expect(mergeRows(rows)).toEqual(rows);
  expect(new Set(rows.map(keyOf)).size).toBe(rows.length);
});

test("usage rows without a price are not merged with rows that have one", () => {
  const unpriced = row({ cost: null, reason: "no price" });
  const unknown = row({ cost: null, reason: "no usage", inputTokens: 0 });

  const merged = mergeRows([row(), unpriced, unknown, unpriced, row()]);

  expect(merged).toMatchObject([
    { cost: 4, reason: null, agents: 2 },
    { cost: null, reason: "no price", agents: 2, inputTokens: 200 },
    { cost: null, reason: "no usage", agents: 1 },
  ]);
});

test("usage rows stay separate even if their joined names are equal", () => {
  expect(keyOf(row({ role: "a", runner: "bc" }))).not.toBe(keyOf(row({ role: "ab", runner: "c" })));
});

test("merging does not change the given usage rows", () => {
  const rows = [row(), row()];

  mergeRows(rows);

  expect(rows).toEqual([row(), row()]);
});

test("a sum of usage rows says whether a price is missing", () => {
  expect(sumOf([row(), row({ cost: 0.5 })])).toEqual({
    amounts: [{ cost: 2.5, currency: "USD" }],
    isPartial: false,
  });
  expect(sumOf([row({ cost: null, reason: "no price" }), row({ currency: "JPY" })])).toEqual({
    amounts: [{ cost: 2, currency: "JPY" }],
    isPartial: true,
  });
});

test("usage rows in different currencies stay separate, also in their sum", () => {
  const rows = [row(), row({ currency: "JPY", cost: 300 }), row()];

  expect(mergeRows(rows)).toMatchObject([
    { cost: 4, currency: "USD" },
    { cost: 300, currency: "JPY" },
  ]);
  expect(sumOf(rows)?.amounts).toEqual([
    { cost: 4, currency: "USD" },
    { cost: 300, currency: "JPY" },
  ]);
});

test("the model of a role without one is the model that the CLI reported", () => {
  expect(modelOf(row({ model: "default", reportedModel: "gpt-6" }))).toBe("gpt-6");
  expect(modelOf(row({ model: "default" }))).toBe("default");
  expect(modelOf(row({ model: "sonnet", reportedModel: "Sonnet 5" }))).toBe("sonnet");
});

test("a price of 0 is a known cost; a missing price is not", () => {
  expect(sumOf([row({ cost: 0 })])).toEqual({
    amounts: [{ cost: 0, currency: "USD" }],
    isPartial: false,
  });
  expect(sumOf([row({ cost: null, reason: "no price" })])).toBeNull();
  expect(sumOf([])).toBeNull();
});
