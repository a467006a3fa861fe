import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { Refusal } from "../../../domain/refusal.ts";
import { installJobs } from "../../jobs/pg-boss/install-jobs.ts";
import type { Db } from "../sql/engine/tables.ts";
import { ADVISORY_LOCKS } from "./engine/advisory-locks.ts";
import { commitWithRetry } from "./engine/commits.ts";
import { createPool, NO_LIMIT } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";
import { LockTimeout } from "./engine/faults.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { createDays } from "./transcript-days.ts";

const OLDEST_VERSION = 140_000;
/**
 * Less than servers wait for a lock. A migration that waits for a reader, such as a dump, makes all
 * statements on that table wait behind it.
 */
const LOCK_WITHIN = "1s";
/** The servers go on in between. */
const TRY_AGAIN_MS = 2_000;

/**
 * Counts the versions of Kuromajutsu that change the schema. Raise it by one for the first new
 * migration after a release: versions that are further apart are refused by it.
 */
export const SCHEMA_RELEASE = 1;

type Migrations = Readonly<Record<string, Migration>>;
/** `oldest`: the oldest release that goes on after it; null: the one before `release`. */
type Done = { readonly name: string; readonly release: number; readonly oldest: number | null };

/**
 * Creates or upgrades the schema, all in one transaction. Several at once are safe: they take turns,
 * and the later ones find nothing to do. Returns the names of the migrations that ran. `onLocked`:
 * another transaction uses a table, and this waits for it.
 */
export async function migratePostgres(
  url: string,
  migrations: Migrations = MIGRATIONS,
  onLocked: () => void = () => {},
): Promise<readonly string[]> {
  const pool = createPool({ url, name: "kuromajutsu migrate", queryTimeoutMs: NO_LIMIT }, 1);
  try {
    await requireVersion(createDb(pool));
    const upgrade = () => commitWithRetry(pool, (db) => migrate(db, migrations));
    const done = await untilUnlocked(upgrade, onLocked);
    const jobs = await installJobs(pool, SCHEMA_RELEASE);
    // The user of `serve` may not be allowed to create tables.
    await createDays(pool, Date.now());
    return [...done, ...jobs];
  } finally {
    await pool.end();
  }
}

async function untilUnlocked<T>(work: () => Promise<T>, onLocked: () => void): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LockTimeout)) throw error;
      onLocked();
      await delay(TRY_AGAIN_MS);
    }
  }
}

async function migrate(db: Db, migrations: Migrations): Promise<readonly string[]> {
  // A process that waits for its turn must not give up: a migration of a large table takes long.
  await sql`set local lock_timeout = 0`.execute(db);
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`.execute(db);
  await sql`set local lock_timeout = ${sql.lit(LOCK_WITHIN)}`.execute(db);
  await sql`
    create table if not exists migrations (
      name text collate "C" primary key,
      release integer not null,
      at timestamptz not null default now())`.execute(db);
  await sql`alter table migrations add column if not exists oldest integer`.execute(db);
  const done = await listDone(db);
  refuseNewer(done, migrations);
  const missing = Object.entries(migrations).filter(([name]) => !includes(done, name));
  for (const [name, migration] of missing.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    await migration.up(db);
    await sql`insert into migrations (name, release) values (${name}, ${SCHEMA_RELEASE})`.execute(
      db,
    );
  }
  return missing.map(([name]) => name);
}

/** Refuses a database whose schema is not the one of this version. */
export async function requireSchema(db: Db, migrations: Migrations = MIGRATIONS): Promise<void> {
  await requireVersion(db);
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('migrations') is not null as is_there`.execute(db);
  const done = rows[0]?.is_there === true ? await listDone(db) : [];
  refuseNewer(done, migrations);
  if (Object.keys(migrations).every((name) => includes(done, name))) return;
  throw new Refusal("STORE_NOT_MIGRATED", {
    en: [
      "The database does not have the tables of this version.",
      "Run `kuromajutsu migrate` once, then start again.",
    ],
    ja: [
      "データベースに、このバージョンのテーブルがありません。",
      "`kuromajutsu migrate` を一度実行してから、もう一度起動してください。",
    ],
  });
}

async function requireVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ n: string; text: string }>`
    select current_setting('server_version_num') as n, current_setting('server_version') as text`.execute(
    db,
  );
  const [version] = rows;
  if (version && Number(version.n) >= OLDEST_VERSION) return;
  throw new Refusal("STORE_NOT_SUPPORTED", {
    en: [
      `PostgreSQL ${version?.text ?? ""} is too old.`,
      "Use PostgreSQL 14 or newer, and let store.url name it.",
    ],
    ja: [
      `PostgreSQL ${version?.text ?? ""} は古すぎます。`,
      "PostgreSQL 14 以降を使い、store.url に指定してください。",
    ],
  });
}

async function listDone(db: Db): Promise<readonly Done[]> {
  // A database that an earlier version has migrated does not have the column `oldest`.
  const { rows } = await sql<Done>`
    select name, release, (to_jsonb(migrations) ->> 'oldest')::integer as oldest
      from migrations order by name`.execute(db);
  return rows;
}

function includes(done: readonly Done[], name: string): boolean {
  return done.some((each) => each.name === name);
}

/**
 * The schema of the next release only adds to ours, so servers of both run side by side, unless that
 * release says that they cannot. The tables of jobs follow the same rule.
 */
function refuseNewer(done: readonly Done[], known: Migrations): void {
  const unknown = done
    .filter(({ name }) => !Object.hasOwn(known, name))
    .filter(({ release, oldest }) => {
      const isTooNew = release > SCHEMA_RELEASE + 1;
      return isTooNew || (oldest !== null && oldest > SCHEMA_RELEASE);
    })
    .map(({ name }) => name);
  if (unknown.length === 0) return;
  throw new Refusal("STORE_NOT_SUPPORTED", {
    en: [
      `The database was written by a newer Kuromajutsu (it has ${unknown.join(", ")}). Nothing was changed.`,
      "Update Kuromajutsu here, or let store.url name another database.",
    ],
    ja: [
      `このデータベースは、新しいバージョンの Kuromajutsu が書いたものです（${unknown.join("、")}）。何も変更していません。`,
      "ここの Kuromajutsu を更新するか、store.url に別のデータベースを指定してください。",
    ],
  });
}
