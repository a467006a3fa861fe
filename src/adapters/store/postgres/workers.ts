import { sql } from "kysely";
import type { WorkerRow, Workers } from "../../../app/ports/workers.ts";
import type { Log } from "../../../app/ports/world.ts";
import type { Worker, WorkerDetails } from "../../../domain/workers/worker.ts";
import { jsonColumn } from "../sql/engine/json-column.ts";
import { createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";

const CONNECTIONS = 2;
const DETAILS = jsonColumn<WorkerDetails>();
const LABELS = jsonColumn<readonly string[]>();

/**
 * Connections of its own: a full pool must not end the lease of a worker. Another one for the list, which
 * everything that looks for hosts reads.
 */
export function openWorkers(options: {
  readonly url: string;
  readonly log?: Log | undefined;
}): Workers {
  const pool = createPool({ ...options, name: "kuromajutsu workers" }, CONNECTIONS);
  const db = createDb(pool);
  const reading = createPool({ ...options, name: "kuromajutsu list of workers" }, 1);
  return {
    ...register(db),
    ...lists(createDb(reading)),
    ...leases(db),
    ...ends(db),
    async close() {
      await Promise.all([pool.end(), reading.end()]);
    },
  };
}

type Db = ReturnType<typeof createDb>;

/** The workers that may connect. */
function register(db: Db): Pick<Workers, "add" | "findByToken" | "revoke"> {
  return {
    async add({ id, name, allowedLabels, createdAt, createdBy }, tokenHash) {
      const labels = allowedLabels === null ? null : LABELS.write(allowedLabels);
      const { rows } = await sql`
        insert into workers (id, name, token_hash, allowed_labels, created_at, created_by)
          values (${id}, ${name}, ${tokenHash}, ${labels}, ${createdAt}, ${createdBy})
          on conflict do nothing returning id`.execute(db);
      return rows.length === 1;
    },
    async findByToken(tokenHash) {
      const { rows } = await sql<Row>`
        select * from workers where token_hash = ${tokenHash}`.execute(db);
      return rows[0] && toWorker(rows[0]);
    },
    async revoke(id) {
      const { rows } = await sql`
        update workers set token_hash = null, epoch = epoch + 1,
            seen = case when seen is null then null else 'infinity'::timestamptz end
          where id = ${id} and token_hash is not null returning id`.execute(db);
      // What never had a lease leaves nothing to clean up.
      await sql`delete from workers where id = ${id} and token_hash is null and seen is null`.execute(
        db,
      );
      return rows.length === 1;
    },
  };
}

function lists(db: Db): Pick<Workers, "list"> {
  return {
    async list() {
      const { rows } = await sql<Row>`
        select workers.*,
            case when isfinite(seen) then extract(epoch from now() - seen) * 1000 end as seen_ms_ago,
            case when seen is null and details is null then 'never'
              when seen = 'infinity' or instance is null then 'lost'
              when seen is null or seen > now() then 'left' else 'connected' end as state,
            (select count(*) from agents
              where worker_id = workers.id and process in ('starting', 'alive')) as agents
          from workers where token_hash is not null order by name`.execute(db);
      return rows.map(toWorkerRow);
    },
  };
}

/** What the server of a worker does for it. */
function leases(db: Db): Pick<Workers, "admit" | "describe" | "beat" | "leave"> {
  return {
    async admit(id, { instance, hasLease, serverId, serverProcess }, details, leaseMs) {
      // A lease that has expired is ended here: its agents may be taken for lost at any moment. After
      // an outage of the database every lease is old, and those of workers that kept theirs go on.
      const { rows } = await sql<Judged>`
        with mine as (
            select id, instance, details, server_process, seen is null as is_free,
                seen is not null and seen <> 'infinity'
                  and (seen > now() - make_interval(secs => ${leaseMs / 1_000})
                    or (${hasLease}::boolean and instance = ${instance})) as is_live
              from workers where id = ${id} and token_hash is not null for update),
          judged as (
            select *, case when is_live and instance is distinct from ${instance} then 'taken'
                when is_live or is_free then 'admitted' else 'ended' end as kind from mine),
          changed as (
            update workers set epoch = epoch + 1,
                seen = case kind when 'admitted' then now() else 'infinity' end,
                instance = ${instance}, server_id = ${serverId},
                server_process = ${serverProcess},
                cleaned_since = case kind when 'admitted' then null else cleaned_since end,
                details = ${DETAILS.write(details)}
              from judged where workers.id = judged.id and kind <> 'taken'
              returning epoch)
        select kind, details, server_process is distinct from ${serverProcess} as is_moved,
            (select epoch from changed) as epoch from judged`.execute(db);
      const [row] = rows;
      if (!row || row.kind === "ended") return { kind: "ended" };
      if (row.kind === "admitted") {
        return { kind: "admitted", epoch: row.epoch, isMoved: row.is_moved };
      }
      return { kind: "taken", by: row.details === null ? null : DETAILS.read(row.details) };
    },
    async describe(id, epoch, details) {
      await sql`
        update workers set details = ${DETAILS.write(details)}
          where id = ${id} and epoch = ${epoch}`.execute(db);
    },
    async beat(id, epoch) {
      const { rows } = await sql`
        update workers set seen = now()
          where id = ${id} and epoch = ${epoch} and seen <> 'infinity' returning id`.execute(db);
      return rows.length === 1;
    },
    async leave(id, epoch, forMs) {
      const until = forMs === 0 ? sql`null` : sql`now() + make_interval(secs => ${forMs / 1_000})`;
      await sql`
        update workers set seen = ${until} where id = ${id} and epoch = ${epoch}`.execute(db);
    },
  };
}

/** What any server does for workers that are gone. */
function ends(db: Db): Pick<Workers, "endExpired" | "claimEnded" | "forget"> {
  return {
    async endExpired(seenBefore) {
      // Locked first: units that still write for the worker end before the epoch changes.
      await sql`
        update workers set epoch = epoch + 1, seen = 'infinity' where id in (
          select id from workers where seen < to_timestamp(${seenBefore / 1_000})
            for update)`.execute(db);
    },
    async claimEnded() {
      // A claim is given again after a while: its owner may have died, too.
      const { rows } = await sql<{ id: string }>`
        update workers set cleaned_since = now() where id = (
          select id from workers where seen = 'infinity'
            and (cleaned_since is null or cleaned_since < now() - interval '5 seconds')
            order by id limit 1 for update skip locked)
          returning id`.execute(db);
      return rows[0]?.id;
    },
    async forget(id) {
      // Without an instance the list still says that it was lost, until it connects again.
      await sql`
        update workers set seen = null, cleaned_since = null, instance = null
          where id = ${id} and seen = 'infinity'`.execute(db);
      await sql`delete from workers where id = ${id} and token_hash is null and seen is null`.execute(
        db,
      );
    },
  };
}

type Judged = {
  readonly kind: "admitted" | "ended" | "taken";
  readonly details: string | null;
  readonly is_moved: boolean;
  readonly epoch: number;
};

type Row = {
  readonly id: string;
  readonly name: string;
  readonly allowed_labels: string | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly server_id: string | null;
  readonly details: string | null;
  readonly seen_ms_ago: number | null;
  readonly state: WorkerRow["state"];
  readonly agents: number;
};

function toWorker({ id, name, allowed_labels, created_at, created_by }: Row): Worker {
  return {
    id,
    name,
    allowedLabels: allowed_labels === null ? null : LABELS.read(allowed_labels),
    createdAt: created_at,
    createdBy: created_by,
  };
}

function toWorkerRow(row: Row): WorkerRow {
  const { state, details, server_id, seen_ms_ago, agents } = row;
  return {
    ...toWorker(row),
    state,
    details: details === null ? null : DETAILS.read(details),
    serverId: server_id,
    seenMsAgo:
      state === "connected" && seen_ms_ago !== null ? Math.max(0, Math.round(seen_ms_ago)) : null,
    agents,
  };
}
