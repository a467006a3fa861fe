import * as contract from "../../../../contract/routes/agents.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import { usageLines } from "../../../../domain/agents/usage-lines.ts";
import { defineRoute } from "../../define-route.ts";

const DAY_MS = 24 * 60 * 60_000;
const USUAL_DAYS = 30;

export const listUsage = defineRoute(contract.listUsage, {
  async run(core, { query }) {
    const until = query.until ?? dayOf(core.clock.now());
    const from = query.from ?? dayOf(Date.parse(until) - (USUAL_DAYS - 1) * DAY_MS);
    return {
      from,
      until,
      rows: [...usageLines(await core.store.listUsage(from, until), core.settings.prices)],
    };
  },
});

function dayOf(ms: number): string {
  return iso(ms).slice(0, 10);
}
