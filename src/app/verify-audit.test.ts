import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import { openStore } from "../adapters/store/open-store.ts";
import { systemTokens } from "../adapters/world.ts";
import { auditText } from "../domain/audit.ts";
import { auditIn } from "./audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const clock = { now: () => 1_794_733_200_000 };

async function anAudit(entries: number): Promise<string> {
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  await store.transaction(async (unit) => {
    for (let n = 1; n <= entries; n++) {
      const data = { n, text: "承認\ud83d", nested: { b: [1, null], a: 1.5 } };
      await auditIn({ clock }, unit, { actor: "aoi", action: "task.made", subject: `${n}`, data });
    }
  });
  await store.close();
  return dataDir;
}

const SWAPPED = `
  update audit set seq = -3 where seq = 3;
  update audit set seq = 3 where seq = 4;
  update audit set seq = 4 where seq = -3`;

/** Somebody with the right to the file and a little SQL. */
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
