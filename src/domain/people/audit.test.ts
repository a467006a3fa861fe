import { expect, test } from "vitest";
import { type AuditEntry, auditText, FIRST_HASH } from "./audit.ts";

const ENTRY: Omit<AuditEntry, "hash"> = {
  seq: 1,
  at: 1_794_733_200_000,
  actor: "suzuki",
  action: "approval.decided",
  subject: "apr-01",
  data: { shownHash: "f00d", decision: "approve" },
  prevHash: FIRST_HASH,
};

// The hashes of existing audit chains depend on this text, so it must never change.
test("auditText is the fields in order, with the keys of the data sorted", () => {
  expect(auditText(ENTRY)).toBe(
    `[1,1794733200000,"suzuki","approval.decided","apr-01",{"decision":"approve","shownHash":"f00d"},"${FIRST_HASH}"]`,
  );
});

test("auditText differs for two rows that differ only in where one field ends", () => {
  const moved = { ...ENTRY, actor: 'suzuki","approval', action: "decided" };

  expect(auditText(moved)).not.toBe(auditText(ENTRY));
});
