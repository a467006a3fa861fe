import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { aCore, someProgress } from "../../../test/kit/core.ts";
import { spentBy } from "./spent.ts";
import { statusUpdate } from "./status-update.ts";

const USAGE = {
  inputTokens: 1_000_000,
  outputTokens: 500_000,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};
const PRICES = { currency: "JPY", models: { dear: { input: 300, output: 1_200 } } };

test("an agent's usage includes its cost if its model has a price", async () => {
  const core = await aCore({ settings: { prices: PRICES } });
  const [dear, other] = [anAgent({ model: "dear" }), anAgent({ model: "other" })];

  const used = someProgress({ usage: USAGE });

  expect(spentBy(core, dear, used)).toEqual({
    usage: USAGE,
    spent: { cost: 900, currency: "JPY" },
  });
  expect(spentBy(core, other, used)).toEqual({ usage: USAGE });
  expect(spentBy(core, dear, someProgress())).toEqual({});
});

test("the cost of an agent is what its CLI reported, in US dollars, before any price", async () => {
  const core = await aCore({ settings: { prices: PRICES } });
  const seen = someProgress({ usage: USAGE, costUsd: 0.25 });

  expect(spentBy(core, anAgent({ model: "dear" }), seen)).toEqual({
    usage: USAGE,
    spent: { cost: 0.25, currency: "USD" },
  });
});

test("every status update includes the agent's usage", async () => {
  const core = await aCore({ settings: { prices: PRICES } });

  const { data } = statusUpdate(core, anAgent({ model: "dear" }), someProgress({ usage: USAGE }));

  expect(data).toMatchObject({ usage: USAGE, spent: { cost: 900 } });
});
