import { sql } from "kysely";
import type { AppEvent } from "../../../../contract/events/events.ts";
import { jsonColumn } from "../../sql/engine/json-column.ts";
import type { Db } from "../../sql/engine/tables.ts";

/** A place in the feed: the text of a PostgreSQL snapshot. Any server can continue from it. */
export type Snapshot = string;

export type Pulled = {
  readonly snapshot: Snapshot;
  readonly events: readonly { readonly seq: number; readonly event: AppEvent }[];
};

type Row = {
  readonly now: Snapshot;
  readonly seq: number | null;
  readonly type: string;
  readonly group_id: string | null;
  readonly agent_id: string | null;
  readonly task_id: string | null;
  readonly at: number;
  readonly data: string;
};

export async function currentSnapshot(db: Db): Promise<Snapshot> {
  const { rows } = await sql<{ now: Snapshot }>`select pg_current_snapshot()::text as now`.execute(
    db,
  );
  return requireFirst(rows).now;
}

/**
 * Events that were committed since the snapshot. `seq > last` would miss events: a transaction with a
 * lower number may commit later. The snapshot names the transactions that were open, so each event is
 * returned once, however long its transaction took. Within one pull, causes come before effects.
 */
export async function pullEvents(db: Db, since: Snapshot): Promise<Pulled> {
  const { rows } = await sql<Row>`
    select taken.now, seq, type, group_id, agent_id, task_id, at, data
      from (select pg_current_snapshot()::text as now) as taken
      left join events on xid >= pg_snapshot_xmin(${since}::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${since}::pg_snapshot)
      order by seq`.execute(db);
  const events = rows.flatMap((row) =>
    row.seq === null ? [] : [{ seq: row.seq, event: toEvent(row) }],
  );
  return { snapshot: requireFirst(rows).now, events };
}

const EVENT = jsonColumn<AppEvent>();

/** The whole event is one JSON text, because its type decides what its data are. */
function toEvent({ type, group_id, agent_id, task_id, at, data }: Row): AppEvent {
  const taskId = task_id === null ? {} : { taskId: task_id };
  const head = JSON.stringify({ type, groupId: group_id, agentId: agent_id, ...taskId, at });
  return EVENT.read(`${head.slice(0, -1)},"data":${data}}`);
}

function requireFirst<T>([first]: readonly T[]): T {
  if (first === undefined) throw new Error("PostgreSQL returned no snapshot.");
  return first;
}
