import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { openAuditAnchor } from "../../adapters/store/audit-anchor.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { systemTokens } from "../../adapters/world.ts";
import { auditText, FIRST_HASH } from "../../domain/people/audit.ts";
import { recordAudit } from "./audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const clock = { now: () => 1_794_733_200_000 };

async function anAudit(entries: number): Promise<string> {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.transaction(async (unit) => {
    for (let n = 1; n <= entries; n++) {
      const data = { n, text: "承認\ud83d", nested: { b: [1, null], a: 1.5 } };
      await recordAudit({ clock }, unit, {
        actor: "aoi",
        action: "task.made",
        subject: `${n}`,
        data,
      });
    }
  });
  await store.close();
  return dataDir;
}

const SWAPPED = `
  update audit set seq = -3 where seq = 3;
  update audit set seq = 3 where seq = 4;
  update audit set seq = 4 where seq = -3`;

/** An attacker who can write the database file and knows SQL. */
function tamper(dataDir: string, statement: string): void {
  const db = new DatabaseSync(join(dataDir, "kuromajutsu.db"));
  db.exec("drop trigger audit_is_not_changed; drop trigger audit_is_not_deleted");
  db.exec(statement);
  db.close();
}

async function verify(dataDir: string) {
  const store = await openStore({ dataDir });
  try {
    return await verifyAudit({ store, tokens: systemTokens });
  } finally {
    await store.close();
  }
}

/** The same with the head that a daemon has left beside the database. */
async function verifyAnchored(dataDir: string) {
  const store = await openStore({ dataDir });
  const auditAnchor = openAuditAnchor({ dataDir, log: SILENT, store, mayCreate: false });
  try {
    return await verifyAudit({ store, tokens: systemTokens, auditAnchor });
  } finally {
    await store.close();
  }
}

/** A daemon has run on it: the head says how far the audit is. */
async function anAnchoredAudit(entries: number): Promise<string> {
  const dataDir = await anAudit(entries);
  const store = await openStore({ dataDir });
  const anchor = openAuditAnchor({ dataDir, log: SILENT, store, mayCreate: true });
  await anchor.start();
  await anchor.close();
  await store.close();
  return dataDir;
}

/** Every entry again, with other words and hashes that fit. */
async function rewriteAll(dataDir: string, change: (seq: number) => string): Promise<void> {
  const store = await openStore({ dataDir });
  const entries = await store.listAuditAfter(0, 1_000);
  await store.close();
  let prevHash = FIRST_HASH;
  const statements = entries.map((entry) => {
    const forged = { ...entry, actor: change(entry.seq), prevHash };
    const hash = systemTokens.hash(auditText(forged));
    const set = `actor = '${forged.actor}', prev_hash = '${prevHash}', hash = '${hash}'`;
    prevHash = hash;
    return `update audit set ${set} where seq = ${entry.seq}`;
  });
  tamper(dataDir, statements.join(";"));
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

test("an untouched chain is whole over several pages, and so is one with nothing in it", async () => {
  expect(await verify(await anAudit(2_500))).toEqual({ ok: true, entries: 2_500 });
  expect(await verify(await anAudit(0))).toEqual({ ok: true, entries: 0 });
});

test.each([
  ["another actor", "update audit set actor = 'ben' where seq = 3", 3],
  ["another time", "update audit set at = at - 1 where seq = 3", 3],
  ["another action", "update audit set action = 'task.kept' where seq = 3", 3],
  ["another subject", "update audit set subject = '9' where seq = 3", 3],
  ["another word in its data", `update audit set data = '{"n":4}' where seq = 3`, 3],
  ["a removed entry", "delete from audit where seq = 3", 4],
  ["a removed beginning", "delete from audit where seq < 3", 3],
  ["two entries that changed places", SWAPPED, 3],
  ["an entry before the first", "update audit set seq = -1 where seq = 6", -1],
  ["entry 0", "update audit set seq = 0 where seq = 1", 0],
  ["nothing but negated entries", "update audit set seq = -seq", -6],
])("%s is found", async (_, statement, seq) => {
  const dataDir = await anAudit(6);
  expect((await verify(dataDir)).ok).toBe(true);

  tamper(dataDir, statement);

  expect(await verify(dataDir)).toMatchObject({ ok: false, firstBroken: { seq } });
});

test("an entry forged with a hash that fits it is found by the one after it", async () => {
  const dataDir = await anAudit(6);
  const store = await openStore({ dataDir });
  const [third] = await store.listAuditAfter(2, 1);
  await store.close();
  if (!third) throw new Error("no third entry");
  const hash = systemTokens.hash(auditText({ ...third, actor: "ben" }));

  tamper(dataDir, `update audit set actor = 'ben', hash = '${hash}' where seq = 3`);

  expect(await verify(dataDir)).toMatchObject({ ok: false, firstBroken: { seq: 4 } });
});

test("an entry far below the others is found by the count", async () => {
  const dataDir = await anAudit(3);

  tamper(dataDir, "update audit set seq = -9007199254740993 where seq = 3");

  expect(await verify(dataDir)).toMatchObject({ ok: false });
});

test("a chain that was rewritten as a whole is found by its head", async () => {
  const dataDir = await anAnchoredAudit(6);
  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: true, anchoredUntil: 7 });

  await rewriteAll(dataDir, () => "ben");

  expect(await verify(dataDir)).toMatchObject({ ok: true });
  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false, firstBroken: { seq: 7 } });
});

test("entries cut off at the end are found by the head", async () => {
  const dataDir = await anAnchoredAudit(6);

  tamper(dataDir, "delete from audit where seq > 4");

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false, firstBroken: { seq: 5 } });
});

test("an audit that was emptied is found by the head", async () => {
  const dataDir = await anAnchoredAudit(6);

  tamper(dataDir, "delete from audit");

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false, firstBroken: { seq: 1 } });
});

test("entries newer than the head are no fault: the daemon may have died in between", async () => {
  const dataDir = await anAnchoredAudit(6);
  const store = await openStore({ dataDir });
  await store.transaction((unit) =>
    recordAudit({ clock }, unit, { actor: "aoi", action: "task.made", subject: "7" }),
  );
  await store.close();

  expect(await verifyAnchored(dataDir)).toMatchObject({
    ok: true,
    entries: 8,
    anchoredUntil: 7,
  });
});

test.each(["audit.head", "audit.key"])("a missing %s is found", async (file) => {
  const dataDir = await anAnchoredAudit(6);

  rmSync(join(dataDir, file));

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false });
});

test("a head that was made without the key is found", async () => {
  const dataDir = await anAnchoredAudit(6);
  await rewriteAll(dataDir, () => "ben");
  const store = await openStore({ dataDir });
  const [last] = (await store.listAudit({ limit: 1 })).entries;
  await store.close();
  const path = join(dataDir, "audit.head");
  const head = JSON.parse(readFileSync(path, "utf8"));

  writeFileSync(path, JSON.stringify({ ...head, seq: last?.seq, hash: last?.hash }));

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false });
});

/** The next daemon runs on it: one more entry, and the head follows if it may. */
async function runOn(dataDir: string): Promise<readonly string[]> {
  const errors: string[] = [];
  const log = { ...SILENT, error: (message: string) => void errors.push(message) };
  const store = await openStore({ dataDir, onCommit: () => anchor.soon() });
  const anchor = openAuditAnchor({ dataDir, log, store, mayCreate: true });
  await anchor.start();
  await store.transaction((unit) =>
    recordAudit({ clock }, unit, { actor: "aoi", action: "task.made", subject: "next" }),
  );
  await anchor.close();
  await store.close();
  return errors;
}

test("the head follows the audit, and its files are for the owner only", async () => {
  const dataDir = await anAnchoredAudit(6);

  expect(await runOn(dataDir)).toEqual([]);

  expect(await verifyAnchored(dataDir)).toEqual({ ok: true, entries: 8, anchoredUntil: 8 });
  for (const file of ["audit.key", "audit.head"]) {
    expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
  }
});

test("no daemon puts a new head over a chain that was rewritten", async () => {
  const dataDir = await anAnchoredAudit(6);
  await rewriteAll(dataDir, () => "ben");

  expect(await runOn(dataDir)).toHaveLength(1);

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false, firstBroken: { seq: 7 } });
});

test("no daemon replaces a missing head; a person can accept the audit as it is", async () => {
  const dataDir = await anAnchoredAudit(6);
  rmSync(join(dataDir, "audit.head"));

  expect(await runOn(dataDir)).toHaveLength(1);
  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false });
  const store = await openStore({ dataDir });
  await openAuditAnchor({ dataDir, log: SILENT, store, mayCreate: false }).renew();
  const [newest] = (await store.listAudit({ limit: 1 })).entries;
  await store.close();

  expect(newest).toMatchObject({ action: "audit.anchored", data: { entries: 8 } });
  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: true, anchoredUntil: 9 });
});

test("an audit of an earlier version is anchored at its first start, and that is in it", async () => {
  const dataDir = await anAudit(6);
  expect(await verifyAnchored(dataDir)).toEqual({ ok: true, entries: 6 });

  await runOn(dataDir);

  expect(await verifyAnchored(dataDir)).toEqual({ ok: true, entries: 8, anchoredUntil: 8 });
});

test("an anchoring that a full disk interrupts is made up for, and looks like tampering at no time", async () => {
  const dataDir = await anAudit(6);
  const real = await openStore({ dataDir });
  let isFull = true;
  const store = {
    ...real,
    transaction: ((work) =>
      isFull
        ? Promise.reject(new Error("disk full"))
        : real.transaction(work)) satisfies (typeof real)["transaction"],
  };
  const anchor = openAuditAnchor({ dataDir, log: SILENT, store, mayCreate: true });
  await anchor.start();
  expect(await anchor.read()).toEqual({ kind: "none" });

  isFull = false;

  expect(await anchor.read()).toMatchObject({ kind: "anchored", head: { seq: 7 } });
  await anchor.close();
  await real.close();
  expect(await verifyAnchored(dataDir)).toEqual({ ok: true, entries: 7, anchoredUntil: 7 });
});

test.each([
  ["before the head was written", ["audit.head"], 2],
  ["before the key was kept", [], 1],
])("the next start finishes an anchoring that ended %s", async (_, missing, anchorings) => {
  const dataDir = await anAnchoredAudit(6);
  renameSync(join(dataDir, "audit.key"), join(dataDir, "audit.key.new"));
  for (const file of missing) rmSync(join(dataDir, file));

  expect(await runOn(dataDir)).toEqual([]);

  const entries = 7 + anchorings;
  expect(await verifyAnchored(dataDir)).toEqual({ ok: true, entries, anchoredUntil: entries });
  expect(existsSync(join(dataDir, "audit.key.new"))).toBe(false);
});

test("a key of an interrupted anchoring does not take the place of one that was deleted", async () => {
  const dataDir = await anAnchoredAudit(6);
  rmSync(join(dataDir, "audit.key"));
  writeFileSync(join(dataDir, "audit.key.new"), "k".repeat(64));

  expect(await runOn(dataDir)).toHaveLength(1);

  expect(await verifyAnchored(dataDir)).toMatchObject({ ok: false });
});

test("a key elsewhere is used, and one that is too short is said to be", async () => {
  const [dataDir, keyFile] = [await anAudit(0), join(aTempDir(), "secret")];
  writeFileSync(keyFile, "short");
  const store = await openStore({ dataDir });
  const open = () => openAuditAnchor({ dataDir, keyFile, log: SILENT, store, mayCreate: true });
  await open().start();
  expect(await open().read()).toMatchObject({ why: expect.stringContaining("too short") });

  writeFileSync(keyFile, "k".repeat(40));
  await open().start();

  expect(await open().read()).toMatchObject({ kind: "anchored", head: { seq: 0 } });
  expect(existsSync(join(dataDir, "audit.key"))).toBe(false);
  await store.close();
});

test("an entry that another server appends while the audit is verified is not a fault", async () => {
  const dataDir = await anAudit(3);
  const store = await openStore({ dataDir });
  const entry = { actor: "aoi", action: "task.made", subject: "later", data: {} };

  const verified = await verifyAudit({
    tokens: systemTokens,
    store: {
      countAudit: () => store.countAudit(),
      async listAuditAfter(after, limit) {
        const page = await store.listAuditAfter(after, limit);
        await store.transaction((unit) => recordAudit({ clock }, unit, entry));
        return page;
      },
    },
  });

  expect(verified).toEqual({ ok: true, entries: 3 });
  await store.close();
});
