import { expect, test } from "vitest";
import { aCore } from "../../../../test/kit/core.ts";
import {
  ANALYSIS,
  answer,
  askFor,
  decide,
  DESIGN,
  HR,
  pendingApproval,
  PLAN,
  upstreamWith,
} from "../../../../test/kit/task-flow.ts";

test.each([
  ["ja", "実行方針", "実行ステップ"],
  ["en", "Prompt", "Steps"],
] as const)(
  "with locale %s the titles of the approvals begin with %s and %s",
  async (locale, prompt, steps) => {
    const core = await aCore({ upstream: upstreamWith(...HR), settings: { locale } });
    const { id } = await askFor(core);
    await answer(core, id, ANALYSIS);
    await answer(core, id, PLAN);

    expect((await pendingApproval(core, id)).title).toBe(`${prompt} v1: ${ANALYSIS.title}`);

    await decide(core, id);
    await answer(core, id, DESIGN);

    expect((await pendingApproval(core, id)).title).toBe(`${steps} v1: ${ANALYSIS.title}`);
  },
);
