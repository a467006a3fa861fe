import { z } from "zod";
import type { AuditEntry } from "../../domain/people/audit.ts";
import { iso } from "./iso.ts";

export const auditShape = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  hash: z.string(),
  prevHash: z.string(),
});

export type WireAudit = z.infer<typeof auditShape>;

export function wireAudit(entry: AuditEntry): z.infer<typeof auditShape> {
  return { ...entry, at: iso(entry.at) };
}
