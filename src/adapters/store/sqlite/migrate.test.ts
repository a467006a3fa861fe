import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { aGroup } from "../../../../test/kit/builders.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const NEXT = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table tasks (id text)`.execute(db);
    await sql`alter table groups add column colour text`.execute(db);
  },
};
const BREAKS_HALF_WAY = {
  up: async (db: Kysely<unknown>) => {
    await sql`drop table events`.execute(db);
    await sql`update groups set description = 'half'`.execute(db);
    await sql`insert into nowhere values (1)`.execute(db);
  },
};

test("the second start migrates nothing", async () => {
  const path = join(aTempDir(), "a.db");
  const said: unknown[] = [];
  const info = (_: string, fields?: unknown) => said.push(fields);
  const log = { debug: info, info, warn: info, error: info };

  await (await openSqliteStore({ path, log })).close();
  await (await openSqliteStore({ path, log })).close();

  expect(said).toEqual([{ path, migrations: Object.keys(MIGRATIONS) }]);
});

test("a newer version brings an old database forward with its rows", async () => {
  const path = await aDatabaseWithAGroup();

  const store = await openSqliteStore({ path, migrations: { ...MIGRATIONS, "0002-next": NEXT } });

  expect(await store.getGroup(aGroup().id)).toEqual(aGroup());
  await store.close();
  expect(schemaOf(path)).toContain("tasks");
});

test("a migration that fails half-way leaves the old schema and rows, which still open", async () => {
  const path = await aDatabaseWithAGroup();
  const before = schemaOf(path);

  const attempt = openSqliteStore({
    path,
    migrations: { ...MIGRATIONS, "0002-next": NEXT, "0003-breaks": BREAKS_HALF_WAY },
  });

  await expect(attempt).rejects.toThrow("nowhere");
  expect(schemaOf(path)).toEqual(before);
  const store = await openSqliteStore({ path });
  expect(await store.getGroup(aGroup().id)).toEqual(aGroup());
  await store.close();
});

test("the very first migration failing leaves an empty database", async () => {
  const path = join(aTempDir(), "a.db");

  const attempt = openSqliteStore({ path, migrations: { ...MIGRATIONS, "0002": BREAKS_HALF_WAY } });

  await expect(attempt).rejects.toThrow("nowhere");
  expect(schemaOf(path)).toEqual([]);
});

test("a database of a newer version is refused, saying what to do", async () => {
  const path = await aDatabaseWithAGroup();
  const newer = await openSqliteStore({ path, migrations: { ...MIGRATIONS, "0002-next": NEXT } });
  await newer.close();
  const before = schemaOf(path);

  const attempt = openSqliteStore({ path });

  await expect(attempt).rejects.toThrow(/newer Kuromajutsu \(it has 0002-next\).*Update/);
  await expect(attempt).rejects.toThrow(path);
  expect(schemaOf(path)).toEqual(before);
});

async function aDatabaseWithAGroup(): Promise<string> {
  const path = join(aTempDir(), "a.db");
  const store = await openSqliteStore({ path });
  await store.transaction((unit) => unit.insertGroup(aGroup()));
  await store.close();
  return path;
}

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path);
  const names = database.prepare("select name, sql from sqlite_master order by name").all();
  database.close();
  return names.flatMap((row) => [row["name"], row["sql"]]);
}
