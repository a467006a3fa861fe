import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { AuditQuery } from "../../../src/app/ports/task-store.ts";
import {
  type AuditEntry,
  auditText,
  FIRST_HASH,
  type NewAudit,
} from "../../../src/domain/people/audit.ts";
import { NOON } from "../../kit/builders.ts";
import { type Open, range } from "./kit.ts";

export function audit(aStore: Open): void {
  test("each audit entry names the hash of the entry before", async () => {
    const store = await aStore();

    const written = await appendAll(store, [entry(), entry({ actor: "agent:a-b-c" }), entry()]);

    expect(written.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(written[0]).toMatchObject({ ...entry(), prevHash: FIRST_HASH });
    expect(written[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(written[0]?.hash).not.toBe(written[2]?.hash);
    expect(await store.listAuditAfter(0, 10)).toEqual(written);
    expect(brokenAt(written)).toBeUndefined();
  });

  test("every reader of an audit entry computes the hash that was stored", async () => {
    const store = await aStore();
    const entries = [
      entry({ data: { z: 1, a: { y: [1, { c: null, b: "é" }], x: 0.1 + 0.2 }, 10: "ten", 9: 1 } }),
      entry({ data: { missing: undefined, nan: Number.NaN, big: 2 ** 53, minus: -0 } }),
      entry({ data: JSON.parse('{"__proto__": {"evil": true}, "half": "\\ud800"}') }),
      entry({ subject: "half \ud800 a pair", actor: "日本 👩‍👩‍👧‍👦", action: "'; drop table" }),
      entry({ subject: "nul \u0000 inside", data: { text: "\u0000\u001f\u2028" } }),
    ];

    const written = await appendAll(store, entries);

    const read = await store.listAuditAfter(0, 10);
    expect(read).toHaveLength(entries.length);
    expect(brokenAt(read)).toBeUndefined();
    expect(read).toEqual(written);
  });

  test("a changed, removed or inserted audit entry breaks the chain at its place", async () => {
    const store = await aStore();
    const rows = await appendAll(
      store,
      range(1, 5).map((n) => entry({ subject: `s-${n}` })),
    );
    const changed = (over: Partial<AuditEntry>) =>
      rows.map((row) => (row.seq === 3 ? { ...row, ...over } : row));

    for (const over of [
      { at: NOON + 1 },
      { actor: "x" },
      { action: "x" },
      { subject: "x" },
      { data: {} },
      { prevHash: FIRST_HASH },
      { hash: FIRST_HASH },
    ]) {
      expect(brokenAt(changed(over))).toBe(3);
    }
    expect(brokenAt(rows.toSpliced(2, 1))).toBe(4);
  });

  test("fifty concurrent audit entries make one chain, without a gap for a failed transaction", async () => {
    const store = await aStore();
    const write = (n: number) =>
      store.transaction(async (unit) => {
        await unit.appendAudit(entry({ subject: `s-${n}` }));
        if (n % 5 === 0) throw new Error("no");
      });

    await Promise.allSettled(range(1, 50).map(write));

    const rows = await store.listAuditAfter(0, 100);
    expect(rows.map(({ seq }) => seq)).toEqual(range(1, 40));
    expect(brokenAt(rows)).toBeUndefined();
  });

  test("audit entries are found by subject, by actor and by both, newest first, in pages", async () => {
    const store = await aStore();
    const rows = await appendAll(
      store,
      range(0, 59).map((n) => entry({ subject: `s-${n % 3}`, actor: n % 2 ? "suzuki" : "system" })),
    );
    const newest = rows.toReversed();

    expect(await allPages(store, { limit: 7 })).toEqual(newest);
    expect(await allPages(store, { limit: 7, subject: "s-1" })).toEqual(
      newest.filter(({ subject }) => subject === "s-1"),
    );
    expect(await allPages(store, { limit: 7, actor: "suzuki" })).toEqual(
      newest.filter(({ actor }) => actor === "suzuki"),
    );
    expect(await allPages(store, { limit: 3, actor: "suzuki", subject: "s-1" })).toEqual(
      newest.filter(({ actor, subject }) => actor === "suzuki" && subject === "s-1"),
    );
    expect(await allPages(store, { limit: 3, subject: "none" })).toEqual([]);
    expect(await store.listAuditAfter(57, 2)).toEqual(rows.slice(57, 59));
    const page = store.listAudit({ limit: 5, cursor: "x" });
    await expect(page).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });
}

function entry(over: Partial<NewAudit> = {}): NewAudit {
  return {
    at: NOON,
    actor: "suzuki",
    action: "approval.decided",
    subject: "apr-01",
    data: { decision: "approve", shownHash: "f".repeat(64) },
    ...over,
  };
}

async function appendAll(
  store: Store,
  entries: readonly NewAudit[],
): Promise<readonly AuditEntry[]> {
  const before = await store.countAudit();
  await store.transaction(async (unit) => {
    for (const each of entries) await unit.appendAudit(each);
  });
  return store.listAuditAfter(before, entries.length);
}

/** The first row whose hash does not fit, as a verifier finds it. */
function brokenAt(rows: readonly AuditEntry[]): number | undefined {
  let before = FIRST_HASH;
  for (const row of rows) {
    const hash = createHash("sha256").update(auditText(row)).digest("hex");
    if (row.prevHash !== before || row.hash !== hash) return row.seq;
    before = row.hash;
  }
  return undefined;
}

async function allPages(store: Store, query: AuditQuery): Promise<readonly AuditEntry[]> {
  const { entries, nextCursor } = await store.listAudit(query);
  if (nextCursor === null) return entries;
  return [...entries, ...(await allPages(store, { ...query, cursor: nextCursor }))];
}
