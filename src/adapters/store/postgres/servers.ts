import { sql } from "kysely";
import type pg from "pg";
import type { Beat, ServerDetails, ServerRow, Servers } from "../../../app/ports/servers.ts";
import type { Log } from "../../../app/ports/world.ts";
import { jsonColumn } from "../sql/engine/json-column.ts";
import { createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";
import { createLeader, isLeader } from "./leader.ts";

/** Begins the name of the connection that keeps the lease of a server. */
const LEASE = "kuromajutsu server ";

const DETAILS = jsonColumn<ServerDetails>();

export type OpenServers = {
  readonly url: string;
  /** Identifies this server; stable over restarts. */
  readonly id: string;
  readonly leaseMs?: number | undefined;
  readonly log?: Log | undefined;
};

const TRIES_PER_LEASE = 3;
const MIN_QUERY_TIMEOUT_MS = 2_000;

/**
 * One row per server. A connection of its own: a full pool must not end the lease. Another one for the
 * list, which everything that looks for hosts reads.
 */
export function openServers(options: OpenServers): Servers {
  const { id, url, log } = options;
  const pool = openPool(options);
  const db = createDb(pool);
  const reading = createPool({ url, name: "kuromajutsu list of servers", log }, 1);
  const readingDb = createDb(reading);
  const leader = createLeader(db, id);
  let epoch: number | undefined;

  return {
    id,
    async join(details) {
      const { rows } = await sql<{ epoch: number }>`
        insert into servers as mine (id, epoch, seen, started_at, details)
          values (${id}, 1, now(), now(), ${DETAILS.write(details)})
          on conflict (id) do update set epoch = mine.epoch + 1, seen = excluded.seen,
            started_at = excluded.started_at, details = excluded.details
            where mine.seen <> 'infinity'
          returning epoch`.execute(db);
      epoch = rows[0]?.epoch;
      return epoch !== undefined;
    },
    async describe(details) {
      await sql`
        update servers set details = ${DETAILS.write(details)}
          where id = ${id} and epoch = ${epoch ?? null}`.execute(db);
    },
    async beat() {
      if (epoch === undefined) return undefined;
      const { rows } = await sql<Beat>`
        with mine as (
          select id, seen from servers where id = ${id} and epoch = ${epoch} for update)
        update servers set seen = now() from mine where servers.id = mine.id
          returning extract(epoch from servers.seen) * 1000 as at,
            extract(epoch from servers.seen - mine.seen) * 1000 as "sinceLastMs"`.execute(db);
      return rows[0];
    },
    async endExpired(seenBefore) {
      // A new epoch fences a server that only was paused.
      await sql`
        update servers set epoch = epoch + 1, seen = 'infinity'
          where id <> ${id} and seen < to_timestamp(${seenBefore / 1_000})`.execute(db);
    },
    async claimEnded() {
      // A claim is given again after a while: its owner may have died, too.
      const { rows } = await sql<{ id: string }>`
        update servers set cleaned_since = now() where id = (
          select id from servers where seen = 'infinity'
            and (cleaned_since is null or cleaned_since < now() - interval '30 seconds')
            order by id limit 1 for update skip locked)
          returning id`.execute(db);
      return rows[0]?.id;
    },
    async forget(serverId) {
      await sql`delete from servers where id = ${serverId} and seen = 'infinity'`.execute(db);
    },
    lead: async (leaseMs) => epoch !== undefined && leader.take(epoch, leaseMs),
    async now() {
      const { rows } = await sql<{ ms: number }>`
        select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
      return rows[0]?.ms ?? Number.NaN;
    },
    list: () => list(readingDb),
    async leave(forMs) {
      await sql`
        with ended as (
          update leader set until = now() where server_id = ${id} and epoch = ${epoch ?? null})
        update servers set seen = now() + make_interval(secs => ${forMs / 1_000})
          where id = ${id} and epoch = ${epoch ?? null}`.execute(db);
      epoch = undefined;
    },
    async close() {
      await Promise.all([pool.end(), reading.end()]);
    },
  };
}

async function list(db: ReturnType<typeof createDb>): Promise<readonly ServerRow[]> {
  const { rows } = await sql<Row>`
    select id, details, started_at, seen > now() as has_left,
        extract(epoch from now() - seen) * 1000 as seen_ms_ago,
        (select count(*) from agents
          where worker_id = servers.id and process in ('starting', 'alive')) as agents,
        ${isLeader} as is_leader
      from servers where seen <> 'infinity' order by started_at, id`.execute(db);
  return rows.map(toServer);
}

/** A beat on a dead line must fail while there is time for another one on a new connection. */
function openPool({ url, id, leaseMs, log }: OpenServers): pg.Pool {
  const queryTimeoutMs =
    leaseMs === undefined ? undefined : Math.max(MIN_QUERY_TIMEOUT_MS, leaseMs / TRIES_PER_LEASE);
  return createPool({ url, name: `${LEASE}${id}`, log, queryTimeoutMs }, 1);
}

type Row = {
  readonly id: string;
  readonly details: string;
  readonly started_at: Date;
  readonly seen_ms_ago: number;
  readonly has_left: boolean;
  readonly is_leader: boolean;
  readonly agents: number;
};

function toServer(row: Row): ServerRow {
  const { id, details, started_at, seen_ms_ago, has_left, is_leader, agents } = row;
  return {
    ...DETAILS.read(details),
    id,
    startedAt: started_at.getTime(),
    seenMsAgo: Math.max(0, Math.round(seen_ms_ago)),
    hasLeft: has_left,
    isLeader: is_leader,
    agents,
  };
}
