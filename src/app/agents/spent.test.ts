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

  expect(spentBy(core, dear, USAGE)).toEqual({
    usage: USAGE,
    spent: { cost: 900, currency: "JPY" },
  });
  expect(spentBy(core, other, USAGE)).toEqual({ usage: USAGE });
  expect(spentBy(core, dear, null)).toEqual({});
});

test("every status update includes the agent's usage", async () => {
  const core = await aCore({ settings: { prices: PRICES } });

  const { data } = statusUpdate(core, anAgent({ model: "dear" }), someProgress({ usage: USAGE }));

  expect(data).toMatchObject({ usage: USAGE, spent: { cost: 900 } });
});
