import { sql } from "kysely";
import type { AppEvent } from "../../../../contract/events/events.ts";
import { jsonColumn } from "../../sql/engine/json-column.ts";
import type { Db } from "../../sql/engine/tables.ts";

/** A place in the feed. */
export type Cursor = {
  /** The text of a PostgreSQL snapshot. */
  readonly snapshot: string;
  /** The highest number of an event that was visible. */
  readonly highest: number;
};

export type Pulled = {
  readonly cursor: Cursor;
  readonly events: readonly { readonly seq: number; readonly event: AppEvent }[];
};

type Row = {
  readonly now: string;
  readonly seq: number | null;
  readonly type: string;
  readonly group_id: string | null;
  readonly agent_id: string | null;
  readonly task_id: string | null;
  readonly at: number;
  readonly data: string;
};

export async function currentCursor(db: Db): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select pg_current_snapshot()::text as snapshot,
      (select coalesce(max(seq), 0) from events) as highest`.execute(db);
  return requireFirst(rows);
}

/**
 * Events that were committed since the cursor. `seq > highest` alone would miss events: a transaction
 * with a lower number may commit later. The snapshot names the transactions that were open, so each
 * event is returned once, however long its transaction took. The snapshot alone would miss events,
 * too: if PostgreSQL crashes, it gives the ids of transactions that were not flushed (rollbacks and
 * NOTIFY) to new ones. Numbers of stored events are never given again. Within one pull, causes come
 * before effects.
 */
export async function pullEvents(db: Db, { snapshot, highest }: Cursor): Promise<Pulled> {
  const { rows } = await sql<Row>`
    select taken.now, seq, type, group_id, agent_id, task_id, at, data
      from (select pg_current_snapshot()::text as now) as taken
      left join events on seq > ${highest}
        or (xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot))
      order by seq`.execute(db);
  const events = rows.flatMap((row) =>
    row.seq === null ? [] : [{ seq: row.seq, event: toEvent(row) }],
  );
  const last = events.at(-1)?.seq ?? 0;
  const cursor = { snapshot: requireFirst(rows).now, highest: Math.max(highest, last) };
  return { cursor, events };
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
