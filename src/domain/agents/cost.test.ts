import { expect, test } from "vitest";
import { costOf, costs, type Spending } from "./cost.ts";

const usage = {
  inputTokens: 1_000_000,
  outputTokens: 200_000,
  cacheReadTokens: 500_000,
  cacheWriteTokens: 100_000,
};
const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function spending(over: Partial<Spending> = {}): Spending {
  return { ...usage, model: "sonnet", reportedModel: null, costUsd: null, ...over };
}

test("costOf multiplies the tokens of each kind with their price per million", () => {
  expect(costOf(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBeCloseTo(
    3 + 3 + 0.15 + 0.375,
    10,
  );
});

test("costOf charges cached tokens without a price of their own as input", () => {
  expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo(3 + 3 + 1.5 + 0.3, 10);
});

test("costOf does not round a single token away", () => {
  expect(costOf({ ...nothing, inputTokens: 1 }, { input: 0.05, output: 1 })).toBeCloseTo(5e-8, 15);
});

test("costs adds the cost to each row and keeps the order", () => {
  const rows = [
    { ...spending(), day: "2026-11-15" },
    { ...spending({ model: "unheard-of" }), day: "2026-11-16" },
    { ...spending(nothing), day: "2026-11-17" },
  ];

  expect(
    costs(rows, { currency: "JPY", models: { sonnet: { input: 400, output: 2_000 } } }),
  ).toEqual([
    { ...rows[0], cost: 1_040, currency: "JPY", reason: null },
    { ...rows[1], cost: null, currency: "JPY", reason: "no price" },
    { ...rows[2], cost: null, currency: "JPY", reason: "no usage" },
  ]);
});

test("a model with a price of 0 costs 0", () => {
  const prices = { currency: "USD", models: { local: { input: 0, output: 0 } } };

  expect(costs([spending({ model: "local" })], prices)).toMatchObject([{ cost: 0, reason: null }]);
});

test.each(["constructor", "__proto__", "toString"])("a model named %s has no price", (model) => {
  expect(costs([spending({ model })], { currency: "USD", models: {} })).toMatchObject([
    { cost: null, reason: "no price" },
  ]);
});

test("a price is looked up by the model that the CLI reported, then by that of the role", () => {
  const prices = {
    currency: "JPY",
    models: { sonnet: { input: 400, output: 2_000 }, "sonnet-5": { input: 0, output: 0 } },
  };
  const rows = [spending({ reportedModel: "sonnet-5" }), spending({ reportedModel: "Sonnet" })];

  expect(costs(rows, prices)).toMatchObject([{ cost: 0 }, { cost: 1_040 }]);
});

test("a reported cost is in US dollars and wins over the price list; 0 is no reported cost", () => {
  const prices = { currency: "JPY", models: { sonnet: { input: 400, output: 2_000 } } };
  const rows = [spending({ costUsd: 0.25 }), spending({ costUsd: 0 })];

  expect(costs(rows, prices)).toMatchObject([
    { cost: 0.25, currency: "USD", reason: null },
    { cost: 1_040, currency: "JPY", reason: null },
  ]);
  expect(costs([spending({ ...nothing, costUsd: 0.25 })], prices)).toMatchObject([{ cost: 0.25 }]);
});
