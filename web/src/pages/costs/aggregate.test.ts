import { expect, test } from "vitest";
import type { WireUsageRow } from "../../../../src/contract/shapes/history.ts";
import { daysBetween, linesBy, missingFor, stackOf, sumOf } from "./aggregate.ts";

function row(over: Partial<WireUsageRow> = {}): WireUsageRow {
  return {
    day: "2026-11-14",
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

const IN_USD = { metric: "cost", currency: "USD" } as const;

test("costs in different currencies are not added up, and only one is drawn", () => {
  const rows = [row(), row({ role: "review", cost: 300, currency: "JPY" })];

  expect(sumOf(rows).amounts).toEqual([
    { cost: 2, currency: "USD" },
    { cost: 300, currency: "JPY" },
  ]);
  const days = ["2026-11-14"];
  expect(stackOf(rows, days, "role", IN_USD).series).toEqual([{ name: "impl-code", values: [2] }]);
  const inJpy = { ...IN_USD, currency: "JPY" };
  expect(stackOf(rows, days, "role", inJpy).series).toEqual([{ name: "review", values: [300] }]);
  expect(linesBy(rows, "role", "USD")[0]).toMatchObject({ name: "impl-code" });
  expect(linesBy(rows, "role", "JPY")[0]).toMatchObject({ name: "review" });
});

test("a sum of costs that includes a model without a price is marked as incomplete", () => {
  const priced = [row(), row({ cost: 0.5 })];
  const unpriced = row({ model: "new", cost: null, reason: "no price" });

  const amounts = [{ cost: 2.5, currency: "USD" }];
  expect(sumOf(priced)).toMatchObject({ amounts, isPartly: false, tokens: 232, agents: 2 });
  expect(sumOf([...priced, unpriced])).toMatchObject({ amounts, isPartly: true });
  expect(missingFor([...priced, unpriced], "no price")).toMatchObject([
    { model: "new", sum: { tokens: 116 } },
  ]);
});

test("without any price the cost is unknown, not 0", () => {
  expect(sumOf([row({ cost: null, reason: "no price" })])).toMatchObject({ amounts: [] });
  expect(sumOf([])).toMatchObject({ amounts: [], tokens: 0 });
});

test("the costs by day include days without agents, with 0", () => {
  const days = daysBetween("2026-11-13", "2026-11-15");

  expect(days).toEqual(["2026-11-13", "2026-11-14", "2026-11-15"]);
  expect(stackOf([row()], days, "model", IN_USD).series).toEqual([
    { name: "sonnet", values: [0, 2, 0] },
  ]);
});

test("the shares of costs beyond the biggest few are added up as the rest", () => {
  const rows = Array.from({ length: 9 }, (_, index) =>
    row({ model: `m${index}`, cost: index + 1 }),
  );

  const { series } = stackOf(rows, ["2026-11-14"], "model", IN_USD);

  expect(series.map(({ name }) => name)).toEqual(["m8", "m7", "m6", "m5", "m4", null]);
  expect(series.flatMap(({ values }) => values).reduce((all, value) => all + value)).toBe(45);
});

test("costs list days newest first, models by cost", () => {
  const rows = [row({ cost: 1 }), row({ day: "2026-11-15", model: "opus", cost: 9 })];

  expect(linesBy(rows, "day", "USD").map(({ name }) => name)).toEqual(["2026-11-15", "2026-11-14"]);
  expect(linesBy(rows, "model", "USD").map(({ name }) => name)).toEqual(["opus", "sonnet"]);
});

test("a reversed range of days is empty, and a very long one is limited", () => {
  expect(daysBetween("2026-11-15", "2026-11-14")).toEqual([]);
  expect(daysBetween("0001-01-01", "9999-12-31").length).toBeLessThan(4_000);
});
