import { expect, test } from "vitest";
import { amountsOf } from "./amounts.ts";

test("amountsOf adds up costs of one currency and keeps currencies apart", () => {
  const rows = [
    { cost: 1, currency: "USD" },
    { cost: 300, currency: "JPY" },
    { cost: null, currency: "EUR" },
    { cost: 0.5, currency: "USD" },
  ];

  expect(amountsOf(rows)).toEqual([
    { cost: 1.5, currency: "USD" },
    { cost: 300, currency: "JPY" },
  ]);
  expect(amountsOf([])).toEqual([]);
});
