import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { Refusal } from "../../../domain/refusal.ts";
import type { Db } from "../sql/engine/tables.ts";
import { ADVISORY_LOCKS } from "./engine/advisory-locks.ts";
import { commitWithRetry } from "./engine/commits.ts";
import { type Connect, createPool, NO_LIMIT } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";
import { throwFault } from "./engine/faults.ts";
import { findLivingServers, findOrigin, stampDatabase } from "./restored.ts";

const LOOK_EVERY_MS = 200;

/**
 * Call before the feed begins. `pg_restore` copies `events.xid` from another cluster, where the
 * counter of transactions may be far ahead: the feed would deliver such events again and again until
 * this cluster has caught up. The rows are stamped with a transaction of this cluster, and the restore
 * is noted for `settleRestore` in the same transaction. Several servers at once are safe.
 *
 * Events that were only rewritten keep their stamps, which are right: servers that run would deliver
 * events with new ones again.
 */
export async function noteRestore(db: Db, connect: Connect, leaseMs: number): Promise<void> {
  const origin = await findOrigin(db);
  if (origin === "rewritten") {
    connect.log?.info("The events of the database were rewritten. It is no restored dump.");
  }
  if (origin === "own" || origin === "rewritten") return stampDatabase(db);
  const living = await findLivingServers(db, leaseMs);
  if (living.length === 0) return noteRestored(connect);
  const now = await findOrigin(db);
  // One of them has noted the restore meanwhile.
  if (now === "own" || now === "rewritten") return;
  if (now === "restored") throw restoredWhileRunning(living);
  connect.log?.warn(
    "The events of the database were rewritten while other servers run, so this is not taken for a restored dump. If it is one, stop every server with its agents, and restore it again.",
    { servers: living.join(", ") },
  );
  await stampDatabase(db);
}

async function noteRestored(connect: Connect): Promise<void> {
  // All events are rewritten, which may take longer than other statements.
  const pool = createPool({ ...connect, queryTimeoutMs: NO_LIMIT }, 1);
  try {
    await commitWithRetry(pool, async (unit) => {
      await sql`set local lock_timeout = 0`.execute(unit);
      await sql`set local statement_timeout = 0`.execute(unit);
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.restore})`.execute(unit);
      const origin = await findOrigin(unit);
      if (origin === "own" || origin === "rewritten") return;
      await sql`insert into restores (last_event_at) select max(at) from events`.execute(unit);
      await sql`update events set xid = pg_current_xact_id()`.execute(unit);
      await sql`delete from database_stamps`.execute(unit);
      await stampDatabase(unit);
    });
  } finally {
    await pool.end();
  }
}

/** They go on with agents and tasks that the dump shows otherwise. */
function restoredWhileRunning(living: readonly string[]): Refusal {
  const names = living.join(", ");
  return new Refusal("STORE_NOT_SUPPORTED", {
    en: [
      `The database was restored from a dump while servers use it: ${names}. Nothing was changed.`,
      "Stop every server with `kuromajutsu stop --stop-agents`, then start them again.",
    ],
    ja: [
      `サーバー（${names}）が使っている間に、データベースがダンプから復元されています。何も変更していません。`,
      "`kuromajutsu stop --stop-agents` ですべてのサーバーを止めてから、もう一度起動してください。",
    ],
  });
}

/**
 * Runs the work once per restore, on one server; other servers wait for it. If the process dies, the
 * next server runs it again. `lastEventAt`: the time of the newest event of the dump.
 */
export async function settleRestore(
  connect: Connect,
  work: (lastEventAt: number) => Promise<void>,
): Promise<void> {
  const pool = createPool({ ...connect, queryTimeoutMs: NO_LIMIT }, 1);
  try {
    if ((await readPending(createDb(pool))) === undefined) return;
    const client = await pool.connect().catch(throwFault);
    try {
      // A lock of the session: it ends with the connection, however the process ends.
      while (!(await tryLock(client))) await delay(LOOK_EVERY_MS);
      const lastEventAt = await readPending(createDb(client));
      if (lastEventAt === undefined) return;
      await work(lastEventAt);
      await client
        .query("update restores set settled_at = now() where settled_at is null")
        .catch(throwFault);
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function readPending(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ last_event_at: number | null }>`
    select last_event_at from restores where settled_at is null order by id desc limit 1`.execute(
    db,
  );
  const [pending] = rows;
  return pending && (pending.last_event_at ?? 0);
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client
    .query<{ is_mine: boolean }>("select pg_try_advisory_lock($1) as is_mine", [
      ADVISORY_LOCKS.settleRestore,
    ])
    .catch(throwFault);
  return rows[0]?.is_mine === true;
}
