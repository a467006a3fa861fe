import { canonicalJson } from "../text/canonical.ts";

/** Something that an actor did or tried. Each row contains the hash of the previous row. */
export type AuditEntry = {
  readonly seq: number;
  readonly at: number;
  /** A person's id, `agent:<id>`, or `system`. */
  readonly actor: string;
  /** `task.blocked`, `approval.decided`, `approval.refused`, `tool.forwarded`, … */
  readonly action: string;
  /** The id of what the action changed. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly prevHash: string;
  readonly hash: string;
};

export type NewAudit = Pick<AuditEntry, "at" | "actor" | "action" | "subject" | "data">;

/** The previous hash of the first row. */
export const FIRST_HASH = "0".repeat(64);

/** The text that is hashed for a row: all its fields, including the previous hash. */
export function auditText(entry: Omit<AuditEntry, "hash">): string {
  const { seq, at, actor, action, subject, data, prevHash } = entry;
  return canonicalJson([seq, at, actor, action, subject, data, prevHash]);
}

/** The text that the seal of the chain's head is made of. */
export function headText({ seq, hash }: Pick<AuditEntry, "seq" | "hash">): string {
  return canonicalJson(["audit-head", 1, seq, hash]);
}
