import { trustConfig } from "../../../../app/people/trust-config.ts";
import * as contract from "../../../../contract/routes/people.ts";
import { defineRoute, type Route } from "../../define-route.ts";

/** For admins only, because the file may contain keys. */
const view = defineRoute(contract.getTrust, {
  needs: "admin",
  run: (core) => Promise.resolve({ trust: core.trust?.now() ?? null }),
});

const trust = defineRoute(contract.trustConfig, {
  needs: "admin",
  run: (core, { body }, identity) => trustConfig(core, identity, body),
});

export const TRUST_ROUTES: readonly Route[] = [view, trust];
