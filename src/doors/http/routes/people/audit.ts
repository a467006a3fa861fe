import { z } from "zod";
import { verifyAudit } from "../../../../app/people/verify-audit.ts";
import { auditShape, wireAudit } from "../../../../contract/task-shapes.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { cursor, idText, limit, NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

const list = defineRoute({
  method: "get",
  path: "/api/audit",
  summary: "Who did or tried what, newest first. Every entry names the hash of the one before.",
  params: NO_PARAMS,
  query: z.strictObject({
    subject: idText.optional().describe("A task, approval, execution, agent or tool"),
    actor: idText.optional(),
    limit: limit(500, 100),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({ entries: z.array(auditShape), nextCursor: z.string().nullable() }),
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

const verify = defineRoute({
  method: "get",
  path: "/api/audit/verify",
  summary: "Checks every entry: the chain of hashes, and the sealed head outside the database.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({
    ok: z.boolean(),
    entries: z.number(),
    anchoredUntil: z.number().optional().describe("The last entry the sealed head speaks for"),
    firstBroken: z.object({ seq: z.number(), why: z.string() }).optional(),
  }),
  run: (core) => verifyAudit(core),
});

export const AUDIT_ROUTES: readonly AnyRoute[] = [verify, list];
