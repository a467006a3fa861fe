import { auditText, FIRST_HASH, type AuditEntry } from "../../domain/people/audit.ts";
import type { Core } from "../core.ts";
import type { AnchorState } from "../ports/audit-anchor.ts";

const PAGE = 1_000;

export type AuditVerified = {
  readonly ok: boolean;
  /** How many entries were checked. */
  readonly entries: number;
  /** Up to this entry the chain matches the anchor outside the database. */
  readonly anchoredUntil?: number;
  readonly firstBroken?: { readonly seq: number; readonly why: string };
};

type Link = { readonly seq: number; readonly hash: string };
export type Verifying = Pick<Core, "tokens" | "auditAnchor"> & {
  readonly store: Pick<Core["store"], "listAuditAfter" | "countAudit">;
};

/**
 * Verifies the hash chain over all rows and compares it with the anchor outside the database. Entries
 * newer than the anchor are fine; missing or different ones are not.
 */
export async function verifyAudit(core: Verifying): Promise<AuditVerified> {
  const anchor = (await core.auditAnchor?.read()) ?? { kind: "none" };
  // Before the entries are read: another server may append more meanwhile.
  const count = await core.store.countAudit();
  let entries = 0;
  let last: Link = { seq: 0, hash: FIRST_HASH };
  const fault = (seq: number, why: string): AuditVerified => ({
    ok: false,
    entries,
    firstBroken: { seq, why },
  });
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const page = await core.store.listAuditAfter(after, PAGE);
    for (const entry of page) {
      entries++;
      const why = whyBroken(core, entry, last) ?? whyRewritten(anchor, entry);
      if (why !== undefined) return fault(entry.seq, why);
      last = entry;
      after = entry.seq;
    }
    if (page.length < PAGE) break;
  }
  if (count > entries) {
    return fault(last.seq, `There are ${count - entries} more entries with impossible numbers.`);
  }
  return compareWithHead(anchor, last, entries, fault);
}

function compareWithHead(
  anchor: AnchorState,
  last: Link,
  entries: number,
  fault: (seq: number, why: string) => AuditVerified,
): AuditVerified {
  switch (anchor.kind) {
    case "none":
      return { ok: true, entries };
    case "broken":
      return fault(last.seq, anchor.why);
    case "anchored": {
      const { seq } = anchor.head;
      if (last.seq >= seq) return { ok: true, entries, anchoredUntil: seq };
      const first = last.seq + 1;
      return fault(first, `Entries ${first} to ${seq} are missing: the head says they were there.`);
    }
  }
}

function whyRewritten(anchor: AnchorState, { seq, hash }: Link): string | undefined {
  if (anchor.kind !== "anchored" || anchor.head.seq !== seq || anchor.head.hash === hash) {
    return undefined;
  }
  return "It is not the entry that was anchored: the chain was rewritten up to here.";
}

function whyBroken(
  { tokens }: Pick<Core, "tokens">,
  entry: AuditEntry,
  before: Link,
): string | undefined {
  if (entry.seq < 1) return `Its number is ${entry.seq}; the first entry has the number 1.`;
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
