import { canonicalJson } from "../text/canonical.ts";

/** Something somebody did or tried. Each row names the hash of the row before it. */
export type AuditEntry = {
  readonly seq: number;
  readonly at: number;
  /** A person's id, `agent:<id>`, or `system`. */
  readonly actor: string;
  /** `task.blocked`, `approval.decided`, `approval.refused`, `tool.forwarded`, … */
  readonly action: string;
  /** The id it is about. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly prevHash: string;
  readonly hash: string;
};

export type NewAudit = Pick<AuditEntry, "at" | "actor" | "action" | "subject" | "data">;

/** Before the first row. */
export const FIRST_HASH = "0".repeat(64);

/** What the hash of a row is of: everything in it, the hash of the row before included. */
export function auditText(entry: Omit<AuditEntry, "hash">): string {
  const { seq, at, actor, action, subject, data, prevHash } = entry;
  return canonicalJson([seq, at, actor, action, subject, data, prevHash]);
}

/** What the seal of the head is made of. */
export function headText({ seq, hash }: Pick<AuditEntry, "seq" | "hash">): string {
  return canonicalJson(["audit-head", 1, seq, hash]);
}
