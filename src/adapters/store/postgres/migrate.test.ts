import { sql, type Kysely } from "kysely";
import { expect, test } from "vitest";
import { aMigratedUrl } from "../../../../test/kit/postgres/daemon-place.ts";
import { aConnection, rowsOf } from "../../../../test/kit/postgres/servers.ts";
import { migratePostgres } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { openPostgresStore } from "./postgres-store.ts";

/** A database whose functions say that the server has this version. */
async function aDatabaseOf(number: string, text: string): Promise<string> {
  const url = await aMigratedUrl();
  await rowsOf(url, "create schema other_version");
  await rowsOf(
    url,
    `create function other_version.current_setting(name text) returns text language sql as $$
      select case name when 'server_version_num' then '${number}' when 'server_version' then '${text}'
        else pg_catalog.current_setting(name) end $$`,
  );
  const [row] = await rowsOf(url, "select current_database() as name");
  // A schema before pg_catalog hides the functions of PostgreSQL itself.
  await rowsOf(
    url,
    `alter database ${String(row?.["name"])} set search_path = other_version, pg_catalog, public`,
  );
  return url;
}

test("migrate and serve refuse PostgreSQL 13 and name its version", async () => {
  const url = await aDatabaseOf("130022", "13.22 (Debian)");
  const refused = {
    code: "STORE_NOT_SUPPORTED",
    message: expect.stringContaining("PostgreSQL 13.22 (Debian) is too old."),
  };

  await expect(migratePostgres(url)).rejects.toMatchObject(refused);
  await expect(openPostgresStore({ url })).rejects.toMatchObject(refused);
});

test("migrate accepts PostgreSQL 14", async () => {
  const url = await aDatabaseOf("140000", "14.0");

  // The schema that hides the functions is the first of the path, and has no tables yet.
  expect(await migratePostgres(url)).toContain("0001-initial");
});

const wishes = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table events add column wish text`.execute(db);
  },
};

test("servers go on writing while migrate waits for a dump to end", async () => {
  const url = await aMigratedUrl();
  const [dump, server] = [await aConnection(url), await aConnection(url)];
  await server.query("set lock_timeout = '4s'");
  await dump.query("begin");
  await dump.query("select count(*) from events");

  const waits = "select 1 from pg_locks where relation = 'events'::regclass and not granted";
  let saidLocked = 0;
  const migrations = { ...MIGRATIONS, "0999-wishes": wishes };
  const migrating = migratePostgres(url, migrations, () => void saidLocked++);
  for (let round = 0; round < 2; round++) {
    await expect.poll(() => rowsOf(url, waits), { timeout: 20_000 }).toHaveLength(1);
    await server.query("begin; lock table events in row exclusive mode; commit");
  }
  await dump.query("commit");

  expect(await migrating).toEqual(["0999-wishes"]);
  expect(saidLocked).toBeGreaterThan(0);
});
