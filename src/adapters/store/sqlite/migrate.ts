import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Db } from "./tables.ts";

const MIGRATION_TABLE = "migrations";

/** Forward only, all in one transaction: the schema is the new one or still the old one. */
export async function migrate(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  path: string,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    const done = await listDone(transaction);
    refuseNewer(done, migrations, path);
    // Kysely's migrator looks at the whole schema first, and a client may be waiting for this start.
    if (Object.keys(migrations).every((name) => done.includes(name))) return [];
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: MIGRATION_TABLE,
      migrationLockTableName: "migration_lock",
    });
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map(({ migrationName }) => migrationName);
  });
}

function refuseNewer(
  done: readonly string[],
  known: Readonly<Record<string, Migration>>,
  path: string,
): void {
  const unknown = done.filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  throw new Error(
    `${path} was written by a newer Kuromajutsu (it has ${unknown.join(", ")}). ` +
      "Update Kuromajutsu, or set KUROMAJUTSU_DATA_DIR to another directory. Nothing was changed.",
  );
}

async function listDone(db: Db): Promise<readonly string[]> {
  const tables = await sql`
    select 1 from sqlite_master where type = 'table' and name = ${MIGRATION_TABLE}`.execute(db);
  if (tables.rows.length === 0) return [];
  const done = await sql<{ name: string }>`
    select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}
