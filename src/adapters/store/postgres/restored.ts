import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "../sql/engine/tables.ts";

const LOOK_EVERY_MS = 200;

/**
 * PostgreSQL notes in the hidden column `xmin` which transaction has written a row, and `xid` is a
 * copy of it. A dump has the copy only. Base backups, replicas and `pg_upgrade` keep both.
 */
const isStamped = sql`xmin::text::numeric = xid::text::numeric % 4294967296`;

export type Origin =
  /** Written by servers, not restored. */
  | "own"
  /** As `own`, and its events were rewritten, for example by pg_repack. Their `xid` is right. */
  | "rewritten"
  /** The stamp was copied with the events. */
  | "restored"
  /** As `restored`, or rewritten before there were stamps. */
  | "unclear";

/** Looks at the first event: restored ones are older than those that were written since. */
export async function findOrigin(db: Db): Promise<Origin> {
  const { rows } = await sql<{ event: boolean | null; stamp: boolean | null }>`
    select (select ${isStamped} from events order by seq limit 1) as event,
      (select bool_or(${isStamped}) from database_stamps) as stamp`.execute(db);
  const { event = null, stamp = null } = rows[0] ?? {};
  if (event !== false) return "own";
  if (stamp === null) return "unclear";
  return stamp ? "rewritten" : "restored";
}

/** For a database that is known not to be a restored dump, or no longer. */
export async function stampDatabase(db: Db): Promise<void> {
  await sql`
    insert into database_stamps
      select pg_current_xact_id()
        where not exists (select 1 from database_stamps where ${isStamped})`.execute(db);
}

/**
 * Servers that use the database now. A dump has rows of servers, too, and may have been made a moment
 * ago, so only a server that extends its lease counts. Takes at most the time of a lease.
 */
export async function findLivingServers(db: Db, leaseMs: number): Promise<readonly string[]> {
  const before = await seenLately(db, leaseMs);
  const until = performance.now() + leaseMs;
  for (let now = before; now.size > 0; now = await seenLately(db, leaseMs)) {
    const living = [...now].filter(([id, seen]) => seen !== before.get(id));
    if (living.length > 0) return living.map(([id]) => id);
    if (performance.now() > until) break;
    await delay(LOOK_EVERY_MS);
  }
  return [];
}

/** By the clock of the database. Those that have left on purpose are seen in the future. */
async function seenLately(db: Db, leaseMs: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; seen: string }>`
    select id, seen::text as seen from servers
      where seen <= now() and seen > now() - make_interval(secs => ${leaseMs / 1_000})
      order by id`.execute(db);
  return new Map(rows.map(({ id, seen }) => [id, seen]));
}
