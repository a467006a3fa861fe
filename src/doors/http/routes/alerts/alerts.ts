import { testAlerts } from "../../../../app/alerts/test-alerts.ts";
import * as contract from "../../../../contract/routes/alerts.ts";
import { wireAlert } from "../../../../contract/shapes/alerts.ts";
import { defineRoute } from "../../define-route.ts";

const list = defineRoute(contract.listAlerts, {
  async run(core, { query: { status, target, limit } }) {
    const found = await core.store.listAlerts({
      limit,
      ...(target !== undefined && { target }),
      ...(status && { statuses: [status] }),
    });
    return { alerts: found.map(wireAlert) };
  },
});

const test = defineRoute(contract.testAlerts, {
  async run(core, { body }, identity) {
    const tested = await testAlerts(core, identity, body?.to);
    return {
      targets: tested.map(({ target, error, elapsedMs }) => ({
        target,
        sent: error === null,
        error,
        elapsed_ms: elapsedMs,
      })),
    };
  },
});

export const ALERT_ROUTES = [list, test];
