import type pg from "pg";
import { getConstructionPlans, getMigrationPlans, type PgBoss } from "pg-boss";
import { ADVISORY_LOCKS } from "../../store/postgres/engine/advisory-locks.ts";
import { createBoss, newer } from "./open-boss.ts";
import { JOBS_SCHEMA, JOBS_SCHEMA_VERSION, QUEUES } from "./queues.ts";

/**
 * Creates or upgrades the schema of pg-boss, and the queues. The pool must have one connection: it
 * keeps a lock until it ends, so that several at once take turns. An interrupted call is completed by
 * the next. Returns the name of what was installed, if anything was.
 */
export async function installJobs(pool: pg.Pool): Promise<readonly string[]> {
  const boss = createBoss(pool);
  await pool.query("set lock_timeout = 0; set statement_timeout = 0");
  await pool.query("select pg_advisory_lock($1)", [ADVISORY_LOCKS.jobs]);
  try {
    const version = (await boss.isInstalled()) ? ((await boss.schemaVersion()) ?? 0) : 0;
    if (version > JOBS_SCHEMA_VERSION) throw newer(version);
    if (version === 0) await pool.query(getConstructionPlans(JOBS_SCHEMA));
    else if (version < JOBS_SCHEMA_VERSION) await pool.query(upgradeFrom(version));
    await boss.start();
    const created = await createQueues(boss);
    const isNew = version < JOBS_SCHEMA_VERSION || created > 0;
    return isNew ? [`${JOBS_SCHEMA}-${JOBS_SCHEMA_VERSION}`] : [];
  } finally {
    await boss.stop({ graceful: false });
  }
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
