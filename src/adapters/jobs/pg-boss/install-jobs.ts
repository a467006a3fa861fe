import type pg from "pg";
import { getConstructionPlans, getMigrationPlans, type PgBoss } from "pg-boss";
import { ADVISORY_LOCKS } from "../../store/postgres/engine/advisory-locks.ts";
import { createBoss, requireUsable, schemaVersion } from "./open-boss.ts";
import {
  jobsMigration,
  JOBS_OLDEST_RELEASE,
  JOBS_SCHEMA,
  JOBS_SCHEMA_VERSION,
  QUEUES,
} from "./queues.ts";

/**
 * Creates or upgrades the schema of pg-boss, and the queues. The pool must have one connection: it
 * keeps a lock until it ends, so that several at once take turns. An interrupted call is completed by
 * the next. Tables and queues of the next release stay as they are. Returns the name of what was
 * installed, if anything was.
 */
export async function installJobs(pool: pg.Pool, release: number): Promise<readonly string[]> {
  const boss = createBoss(pool);
  await pool.query("set lock_timeout = 0; set statement_timeout = 0");
  await pool.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.jobs]);
  try {
    const version = await schemaVersion(pool);
    if (version > JOBS_SCHEMA_VERSION) {
      await requireUsable(pool, version);
      return [];
    }
    if (version === 0) await pool.query(getConstructionPlans(JOBS_SCHEMA));
    else if (version < JOBS_SCHEMA_VERSION) await pool.query(upgradeFrom(version));
    await boss.start();
    const created = await createQueues(boss);
    await recordSchema(pool, release);
    const isNew = version < JOBS_SCHEMA_VERSION || created > 0;
    return isNew ? [jobsMigration(JOBS_SCHEMA_VERSION)] : [];
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Servers of other releases decide by this record whether they can use the schema. */
async function recordSchema(pool: pg.Pool, release: number): Promise<void> {
  await pool.query(
    "insert into migrations (name, release, oldest) values ($1, $2, $3) on conflict do nothing",
    [jobsMigration(JOBS_SCHEMA_VERSION), release, JOBS_OLDEST_RELEASE],
  );
}

/**
 * pg-boss builds indexes after its transaction and concurrently, which several statements in one
 * query do not allow. The tables of jobs are small, so writers may wait for an index.
 */
function upgradeFrom(version: number): string {
  const plan = getMigrationPlans(JOBS_SCHEMA, version);
  const end = plan.lastIndexOf("COMMIT;");
  return plan.slice(0, end) + plan.slice(end).replaceAll("INDEX CONCURRENTLY", "INDEX");
}

/** Existing queues get the settings of this version, too. */
async function createQueues(boss: PgBoss): Promise<number> {
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  const missing = QUEUES.filter(({ name }) => !known.has(name));
  for (const { name, ...options } of missing) await boss.createQueue(name, options);
  for (const { name, ...options } of QUEUES) {
    if (known.has(name)) await boss.updateQueue(name, options);
  }
  return missing.length;
}
