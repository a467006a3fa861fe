import { expect, test } from "vitest";
import { usageLines } from "./usage-lines.ts";

const TOKENS = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const NONE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const IN_YEN = { currency: "JPY", models: { sonnet: { input: 1_000_000, output: 0 } } };
const IN_DOLLARS = { ...IN_YEN, currency: "USD" };

function row(over: object = {}) {
  return {
    day: "2026-11-15",
    runner: "claude",
    model: "sonnet",
    role: "impl-code",
    reportedModel: null,
    costUsd: null,
    agents: 1,
    ...TOKENS,
    ...over,
  };
}

test("usage of one role and model is one line, whatever names the CLI gave the model", () => {
  const rows = [row(), row({ reportedModel: "Sonnet" }), row({ day: "2026-11-16" })];

  expect(usageLines(rows, IN_YEN)).toEqual([
    {
      ...row({ agents: 2, inputTokens: 20, outputTokens: 2 }),
      cost: 20,
      currency: "JPY",
      reason: null,
    },
    { ...row({ day: "2026-11-16" }), cost: 10, currency: "JPY", reason: null },
  ]);
});

test("a reported cost is added to calculated ones only in the same currency", () => {
  const rows = [row(), row({ costUsd: 5 })];

  expect(usageLines(rows, IN_DOLLARS)).toMatchObject([{ cost: 15, costUsd: 5, agents: 2 }]);
  expect(usageLines(rows, IN_YEN)).toMatchObject([
    { cost: 10, currency: "JPY", agents: 1 },
    { cost: 5, currency: "USD", agents: 1 },
  ]);
});

test("agents without any figures do not make the cost of the others look incomplete", () => {
  const empty = row({ ...NONE, reportedModel: null });
  const used = row({ reportedModel: "sonnet" });

  const expected = [{ agents: 2, cost: 10, reason: null, reportedModel: "sonnet" }];
  expect(usageLines([empty, used], IN_YEN)).toMatchObject(expected);
  expect(usageLines([used, empty], IN_YEN)).toMatchObject(expected);
  expect(usageLines([empty, empty], IN_YEN)).toMatchObject([{ agents: 2, reason: "no usage" }]);
});

test("models that the CLI chose itself are lines of their own", () => {
  const rows = [
    row({ model: "default", reportedModel: "gpt-6" }),
    row({ model: "default", reportedModel: "gpt-6-mini" }),
  ];

  expect(usageLines(rows, IN_YEN)).toMatchObject([
    { reportedModel: "gpt-6", reason: "no price" },
    { reportedModel: "gpt-6-mini", reason: "no price" },
  ]);
});
