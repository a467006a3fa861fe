import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../../sql/engine/tables.ts";

const LOOK_EVERY_MS = 20;

/**
 * Transactions commit in another order than they take the numbers of their events. A transaction that
 * took a lower number than the last visible one had begun by then, so this waits for those.
 */
export async function settledEventSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number; horizon: string }>`
    select coalesce((select max(seq) from events), 0) as last,
      pg_snapshot_xmax(pg_current_snapshot())::text as horizon`.execute(db);
  const { last = 0, horizon = "0" } = rows[0] ?? {};
  while (!(await hasPassed(db, horizon))) await delay(LOOK_EVERY_MS);
  return last;
}

async function hasPassed(db: Db, horizon: string): Promise<boolean> {
  const { rows } = await sql<{ passed: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot()) >= ${horizon}::xid8 as passed`.execute(db);
  return rows[0]?.passed === true;
}
