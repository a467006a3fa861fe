import type { Selectable } from "kysely";
import type { RecordedEvent } from "../../../../app/ports/store.ts";
import type { EventOf, StoredType } from "../../../../contract/events/events.ts";
import type { TaskId } from "../../../../domain/ids.ts";
import { jsonColumn } from "./json-column.ts";
import { prepared } from "./prepared.ts";
import type { Db, EventTable } from "./tables.ts";

const DATA = jsonColumn<RecordedEvent["data"]>();

export async function appendEvent(db: Db, event: EventOf<StoredType>): Promise<number> {
  const [inserted] = (
    await insertEvent(db, {
      type: event.type,
      group_id: event.groupId,
      agent_id: event.agentId,
      task_id: event.taskId ?? null,
      data: DATA.write(event.data),
      at: event.at,
    })
  ).rows;
  if (!inserted) throw new Error("The event was not inserted.");
  return inserted.seq;
}

const insertEvent = prepared(
  (db, row: Omit<Selectable<EventTable>, "seq">) =>
    db.insertInto("events").values(row).returning("seq"),
  (row) => Object.values(row),
);

export async function listEvents(
  db: Db,
  afterSeq: number,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("seq", ">", afterSeq)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toEvent);
}

export async function listTaskEvents(
  db: Db,
  taskId: TaskId,
  afterSeq: number,
  limit: number,
): Promise<readonly RecordedEvent[]> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("task_id", "=", taskId)
    .where("seq", ">", afterSeq)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toEvent);
}

export async function lastEventSeq(db: Db): Promise<number> {
  const { seq } = await db
    .selectFrom("events")
    .select((select) => select.fn.max("seq").as("seq"))
    .executeTakeFirstOrThrow();
  return seq ?? 0;
}

function toEvent(row: Selectable<EventTable>): RecordedEvent {
  return {
    seq: row.seq,
    type: row.type,
    groupId: row.group_id,
    agentId: row.agent_id,
    ...(row.task_id !== null && { taskId: row.task_id }),
    data: DATA.read(row.data),
    at: row.at,
  };
}
