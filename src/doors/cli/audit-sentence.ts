import type { AuditVerified } from "../../app/people/verify-audit.ts";

export function auditSentence({ entries, anchoredUntil, firstBroken }: AuditVerified): string {
  if (firstBroken) return `The audit is broken at entry ${firstBroken.seq}. ${firstBroken.why}`;
  if (entries === 0) return "The audit has no entries yet.";
  const head =
    anchoredUntil === undefined
      ? "It has no head yet (a daemon writes it), so a chain rewritten as a whole would not be noticed."
      : `The sealed head fits up to entry ${anchoredUntil}.`;
  return `The audit is whole: ${entries} entries, each continuing the one before. ${head}`;
}
