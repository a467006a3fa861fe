import { auditText, FIRST_HASH, type AuditEntry } from "../domain/audit.ts";
import type { Core } from "./core.ts";

const PAGE = 1_000;

export type AuditVerified = {
  readonly ok: boolean;
  /** How many were looked at. */
  readonly entries: number;
  readonly firstBroken?: { readonly seq: number; readonly why: string };
};

type Link = { readonly seq: number; readonly hash: string };

/**
 * Walks the chain from the first entry to the last. Entries taken off the end leave no trace in
 * what remains: only a hash noted elsewhere can show that.
 */
export async function verifyAudit(core: Pick<Core, "store" | "tokens">): Promise<AuditVerified> {
  let last: Link = { seq: 0, hash: FIRST_HASH };
  for (let entries = 0; ;) {
    const page = await core.store.listAuditAfter(last.seq, PAGE);
    for (const entry of page) {
      entries++;
      const why = whyBroken(core, entry, last);
      if (why !== undefined) return { ok: false, entries, firstBroken: { seq: entry.seq, why } };
      last = entry;
    }
    if (page.length < PAGE) return { ok: true, entries };
  }
}

function whyBroken(
  { tokens }: Pick<Core, "tokens">,
  entry: AuditEntry,
  before: Link,
): string | undefined {
  if (entry.seq !== before.seq + 1) {
    return `Entry ${before.seq + 1} is missing: after ${before.seq} comes ${entry.seq}.`;
  }
  if (entry.prevHash !== before.hash) {
    return `It does not continue entry ${before.seq}: that one was changed or replaced.`;
  }
  return tokens.hash(auditText(entry)) === entry.hash
    ? undefined
    : "What it says is not what was written: its hash is another.";
}
