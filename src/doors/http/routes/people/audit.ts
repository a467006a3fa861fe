import { verifyAudit } from "../../../../app/people/verify-audit.ts";
import * as contract from "../../../../contract/routes/people.ts";
import { wireAudit } from "../../../../contract/shapes/audit.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listAudit, {
  async run(core, { query }) {
    const page = await core.store.listAudit({
      limit: query.limit,
      ...(query.subject && { subject: query.subject }),
      ...(query.actor && { actor: query.actor }),
      ...(query.cursor && { cursor: query.cursor }),
    });
    return { entries: page.entries.map(wireAudit), nextCursor: page.nextCursor };
  },
});

const verify = defineRoute(contract.verifyAudit, {
  run: (core) => verifyAudit(core),
});

export const AUDIT_ROUTES: readonly Route[] = [verify, list];
