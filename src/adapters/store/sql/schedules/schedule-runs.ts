import { type Insertable, type Selectable, sql } from "kysely";
import type { ScheduleRunPage, ScheduleRunQuery } from "../../../../app/ports/schedule-store.ts";
import type { ScheduleId } from "../../../../domain/ids.ts";
import type { ScheduleRun } from "../../../../domain/schedules/schedule.ts";
import { anyId } from "../engine/any-id.ts";
import { fromCursor, pageOf } from "../engine/cursor.ts";
import { inThisOrder } from "../engine/dialect.ts";
import type { ScheduleRunTable } from "../engine/schedule-tables.ts";
import type { Db } from "../engine/tables.ts";

export async function listScheduleRuns(
  db: Db,
  { scheduleId, limit, cursor }: ScheduleRunQuery,
): Promise<ScheduleRunPage> {
  const all = db
    .selectFrom("schedule_runs")
    .selectAll()
    .where("schedule_id", "=", anyId<ScheduleId>(scheduleId))
    .orderBy("seq", "desc")
    .limit(limit + 1);
  const after = cursor === undefined ? undefined : fromCursor(cursor);
  const rows = await (after ? all.where("seq", "<", after.seq) : all).execute();
  const { page, nextCursor } = pageOf(rows, limit, (row) => row.at);
  return { runs: page.map(toRun), nextCursor };
}

export async function listLastScheduleRuns(db: Db): Promise<readonly ScheduleRun[]> {
  const { rows } = await sql<Selectable<ScheduleRunTable>>`
    select schedule_runs.* from schedules ${inThisOrder(db)} schedule_runs
      on schedule_runs.seq =
        (select max(seq) from schedule_runs where schedule_id = schedules.id)`.execute(db);
  return rows.map(toRun);
}

export async function getScheduleRun(
  db: Db,
  scheduleId: ScheduleId,
  plannedAt: number,
): Promise<ScheduleRun | undefined> {
  const row = await db
    .selectFrom("schedule_runs")
    .selectAll()
    .where("schedule_id", "=", scheduleId)
    .where("is_manual", "=", 0)
    .where("planned_at", "=", plannedAt)
    .executeTakeFirst();
  return row && toRun(row);
}

export async function insertScheduleRun(db: Db, run: ScheduleRun): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("schedule_runs")
    .values(toRow(run))
    .onConflict((conflict) =>
      conflict.columns(["schedule_id", "is_manual", "planned_at"]).doNothing(),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function updateScheduleRun(db: Db, run: ScheduleRun): Promise<void> {
  await db
    .updateTable("schedule_runs")
    .set(toRow(run))
    .where("schedule_id", "=", run.scheduleId)
    .where("is_manual", "=", run.isManual ? 1 : 0)
    .where("planned_at", "=", run.plannedAt)
    .execute();
}

function toRow(run: ScheduleRun): Insertable<ScheduleRunTable> {
  return {
    schedule_id: run.scheduleId,
    planned_at: run.plannedAt,
    is_manual: run.isManual ? 1 : 0,
    status: run.status,
    count: run.count,
    first_planned_at: run.firstPlannedAt,
    task_id: run.taskId,
    reason: run.reason,
    at: run.at,
  };
}

function toRun(row: Selectable<ScheduleRunTable>): ScheduleRun {
  return {
    scheduleId: row.schedule_id,
    plannedAt: row.planned_at,
    isManual: row.is_manual === 1,
    status: row.status,
    count: row.count,
    firstPlannedAt: row.first_planned_at,
    taskId: row.task_id,
    reason: row.reason,
    at: row.at,
  };
}
