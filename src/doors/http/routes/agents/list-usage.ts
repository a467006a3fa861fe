import { z } from "zod";
import { iso } from "../../../../contract/iso.ts";
import { usageRowShape } from "../../../../contract/record-shapes.ts";
import { costs } from "../../../../domain/agents/cost.ts";
import { defineRoute } from "../../define-route.ts";
import { NO_BODY, NO_PARAMS } from "../inputs.ts";

const DAY_MS = 24 * 60 * 60_000;
const USUAL_DAYS = 30;

export const listUsage = defineRoute({
  method: "get",
  path: "/api/usage",
  summary: "Tokens and their cost by day (UTC), runner, model and role.",
  params: NO_PARAMS,
  query: z.strictObject({
    from: z.iso.date().optional().describe("The first day; default: 30 days back"),
    until: z.iso.date().optional().describe("The last day; default: today"),
  }),
  body: NO_BODY,
  answer: z.object({
    from: z.string(),
    until: z.string(),
    rows: z.array(usageRowShape),
  }),
  async run(core, { query }) {
    const until = query.until ?? dayOf(core.clock.now());
    const from = query.from ?? dayOf(Date.parse(until) - (USUAL_DAYS - 1) * DAY_MS);
    return {
      from,
      until,
      rows: [...costs(await core.store.listUsage(from, until), core.settings.prices)],
    };
  },
});

function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}
