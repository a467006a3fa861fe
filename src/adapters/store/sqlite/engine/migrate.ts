import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import type { Db } from "../../sql/engine/tables.ts";

/** Kysely's own name and columns. Its migrator looks at the whole schema, and clients wait for a start. */
const MIGRATIONS = sql.table("migrations");

/** Forward only, all in one transaction: the schema is the new one or still the old one. */
export async function migrate(
  db: Db,
  migrations: Readonly<Record<string, Migration>>,
  path: string,
): Promise<readonly string[]> {
  return db.transaction().execute(async (transaction) => {
    const done = await listDone(transaction);
    refuseNewer(done, migrations, path);
    const missing = Object.entries(migrations).filter(([name]) => !done.includes(name));
    for (const [name, migration] of missing.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await migration.up(transaction);
      await noteDone(transaction, name);
    }
    return missing.map(([name]) => name);
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
  await sql`
    create table if not exists ${MIGRATIONS} (
      name varchar(255) not null primary key,
      timestamp varchar(255) not null
    )`.execute(db);
  const done = await sql<{ name: string }>`
    select name from ${MIGRATIONS} order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}

async function noteDone(db: Db, name: string): Promise<void> {
  const at = new Date().toISOString();
  await sql`insert into ${MIGRATIONS} (name, timestamp) values (${name}, ${at})`.execute(db);
}
