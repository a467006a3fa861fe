import { sql } from "kysely";
import type { Db } from "../sql/engine/tables.ts";
import { ADVISORY_LOCKS } from "./engine/advisory-locks.ts";

const { leader: LEADER_LOCK } = ADVISORY_LOCKS;

/** A condition of rows of `servers`: it is of the version before and has the lock. */
const holdsOldLock = sql<boolean>`
  exists (select 1 from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and objid = ${LEADER_LOCK} and granted
      and pg_locks.database = (select oid from pg_database where datname = current_database())
      and application_name = 'kuromajutsu lease ' || servers.id)`;

/** A condition of rows of `servers`. */
export const isLeader = sql<boolean>`(${holdsOldLock} or exists (
  select 1 from leader
    where server_id = servers.id and leader.epoch = servers.epoch and until > now()))`;

/** One row names the server that leads, and until when. */
export function createLeader(db: Db, id: string) {
  const lock = createLeaderLock(db);
  return {
    /** Takes or extends the leadership; false: another server leads, or the lease has ended. */
    async take(epoch: number, leaseMs: number): Promise<boolean> {
      const lease = sql`make_interval(secs => ${leaseMs / 1_000})`;
      // Later than a whole lease: the clock of the database was set back, and the leader may be dead.
      const { rows } = await sql`
        update leader set server_id = ${id}, epoch = ${epoch}, until = now() + ${lease}
          where (server_id = ${id} or until <= now() or until > now() + ${lease})
            and exists (select 1 from servers
              where id = ${id} and epoch = ${epoch} and seen <= now())
            and not exists (select 1 from servers
              where id <> ${id} and seen between now() - ${lease} and now() and ${holdsOldLock})
          returning server_id`.execute(db);
      const leads = rows.length === 1;
      await lock.hold(leads);
      return leads;
    },
  };
}

/**
 * Servers of the version before do not know the row of the leader: there the server leads whose session
 * has this lock. So a leader of this version holds it, too, if it can. It does not need it: PostgreSQL
 * keeps the session of a host that is gone for hours.
 */
function createLeaderLock(db: Db) {
  let mayBeHeld = false;
  return {
    async hold(leads: boolean): Promise<void> {
      if (leads) {
        mayBeHeld = true;
        // A session can take it several times, and would have to release it as often.
        await sql`
          select pg_try_advisory_lock(${LEADER_LOCK}) where not exists (
            select 1 from pg_locks where locktype = 'advisory' and objid = ${LEADER_LOCK}
              and pid = pg_backend_pid() and granted)`.execute(db);
      } else if (mayBeHeld) {
        // The session may be another one by now: then there is nothing to release.
        await sql`select pg_advisory_unlock(${LEADER_LOCK})`.execute(db);
        mayBeHeld = false;
      }
    },
  };
}
