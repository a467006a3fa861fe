import type pg from "pg";
import { type Db as BossDb, PgBoss } from "pg-boss";
import type { Log } from "../../../app/ports/world.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { throwFault } from "../../store/postgres/engine/faults.ts";
import { jobsMigration, JOBS_SCHEMA, JOBS_SCHEMA_VERSION, QUEUES } from "./queues.ts";

const SUPERVISE_SECONDS = 10;
const DELETE_EVERY_SECONDS = 600;

/** pg-boss on our connections, with their limits of time and their encryption. */
export function createBoss(pool: pg.Pool, log?: Log): PgBoss {
  const boss = new PgBoss({
    db: onPool(pool),
    schema: JOBS_SCHEMA,
    // Only `kuromajutsu migrate` may change the schema.
    migrate: false,
    // We call `supervise` ourselves, where jobs run. Schedules of pg-boss are not used.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_EVERY_SECONDS,
    // Both need more rights than to read and write rows.
    reindex: false,
    monitorVacuum: false,
  });
  // Without a listener an error would end the process.
  boss.on("error", ({ message }) => log?.debug("pg-boss failed.", { error: message }));
  boss.on("warning", ({ message }) => log?.warn(message));
  return boss;
}

/** Some statements begin a transaction; after a failed one the pool closes the connection. */
function onPool(pool: pg.Pool): BossDb {
  return {
    async executeSql(text, values) {
      const result = await pool.query(text, values).catch(throwFault);
      // Several statements have several results, which pg-boss reads itself.
      return text === VERSION_QUERY ? { rows: result.rows.map(asUsable) } : result;
    },
  };
}

/** pg-boss asks this, and starts with no other schema than its own. */
const VERSION_QUERY = `SELECT version from ${JOBS_SCHEMA}.version`;

/** `requireUsable` has decided by the release that a newer schema can be used. */
function asUsable({ version }: { readonly version: unknown }): { readonly version: number } {
  return { version: Math.min(Number(version), JOBS_SCHEMA_VERSION) };
}

/** Refuses a database whose queues this version cannot use. */
export async function openBoss(pool: pg.Pool, log?: Log): Promise<PgBoss> {
  const version = await schemaVersion(pool);
  if (version < JOBS_SCHEMA_VERSION) throw notMigrated();
  await requireUsable(pool, version);
  const boss = createBoss(pool, log);
  await boss.start();
  const found = await boss.getQueues(QUEUES.map(({ name }) => name));
  if (found.length === QUEUES.length) return boss;
  await boss.stop({ graceful: false });
  throw notMigrated();
}

/** The version of pg-boss's schema; 0: there is none. */
export async function schemaVersion(pool: pg.Pool): Promise<number> {
  const isThere = await pool
    .query("select to_regclass($1) is not null as is_there", [`${JOBS_SCHEMA}.version`])
    .catch(throwFault);
  if (isThere.rows[0]?.is_there !== true) return 0;
  const { rows } = await pool.query(`select version from ${JOBS_SCHEMA}.version`).catch(throwFault);
  return Number(rows[0]?.version ?? 0);
}

/**
 * A newer schema is used if its release has recorded it: whether that release goes together with this
 * one was decided with its other migrations (`requireSchema`).
 */
export async function requireUsable(pool: pg.Pool, version: number): Promise<void> {
  if (version <= JOBS_SCHEMA_VERSION) return;
  const { rows } = await pool
    .query("select 1 from migrations where name = $1", [jobsMigration(version)])
    .catch(throwFault);
  if (rows.length === 0) throw newer(version);
}

function newer(version: number): Refusal {
  return new Refusal("STORE_NOT_SUPPORTED", {
    en: [
      `The job queues of the database were written by a newer Kuromajutsu (version ${version} of ${JOBS_SCHEMA}). Nothing was changed.`,
      "Update Kuromajutsu here, or let store.url name another database.",
    ],
    ja: [
      `データベースのジョブキューは、新しいバージョンの Kuromajutsu が書いたものです（${JOBS_SCHEMA} のバージョン ${version}）。何も変更していません。`,
      "ここの Kuromajutsu を更新するか、store.url に別のデータベースを指定してください。",
    ],
  });
}

function notMigrated(): Refusal {
  return new Refusal("STORE_NOT_MIGRATED", {
    en: [
      "The database does not have the job queues of this version.",
      "Run `kuromajutsu migrate` once, then start again.",
    ],
    ja: [
      "データベースに、このバージョンのジョブキューがありません。",
      "`kuromajutsu migrate` を一度実行してから、もう一度起動してください。",
    ],
  });
}
