import { type Insertable, type Selectable, sql } from "kysely";
import type { ScheduleId } from "../../../../domain/ids.ts";
import type { Schedule, ScheduleTemplate } from "../../../../domain/schedules/schedule.ts";
import { anyId } from "../engine/any-id.ts";
import { tableBy } from "../engine/dialect.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { ScheduleTable } from "../engine/schedule-tables.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

const TEMPLATE = jsonColumn<ScheduleTemplate>();

export async function getSchedule(db: Db, id: string): Promise<Schedule | undefined> {
  const row = await db
    .selectFrom("schedules")
    .selectAll()
    .where("id", "=", anyId<ScheduleId>(id))
    .executeTakeFirst();
  return row && toSchedule(row);
}

export async function listSchedules(db: Db): Promise<readonly Schedule[]> {
  const rows = await db.selectFrom("schedules").selectAll().orderBy("seq", "desc").execute();
  return rows.map(toSchedule);
}

export async function nextScheduleDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom("schedules")
    .select("next_at")
    .where("next_at", "is not", null)
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst();
  return row?.next_at ?? undefined;
}

export async function countOpenTasksOfSchedule(db: Db, id: ScheduleId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${tableBy(db, "tasks", "tasks_open_of_schedule")}
      where schedule_id = ${id} and status not in ('completed', 'failed', 'cancelled')`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function insertSchedule(db: Db, schedule: Schedule): Promise<void> {
  await db.insertInto("schedules").values(toRow(schedule)).execute();
}

const updateRow = updateChanged("schedules");

export async function updateSchedule(
  db: Db,
  next: Schedule,
  expected: Schedule,
): Promise<Schedule> {
  const schedule = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(schedule), expected.id, expected.version))) {
    throw versionConflict("Schedule", expected);
  }
  return schedule;
}

export async function deleteSchedule(db: Db, { id, version }: Schedule): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom("schedules")
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  if (numDeletedRows !== 1n) throw versionConflict("Schedule", { id, version });
}

function toRow(schedule: Schedule): Insertable<ScheduleTable> {
  return {
    id: schedule.id,
    name: schedule.name,
    request: schedule.request,
    template: schedule.template && TEMPLATE.write(schedule.template),
    priority: schedule.priority,
    working_directory: schedule.workingDirectory,
    door: schedule.door,
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    missed: schedule.missed,
    overlap: schedule.overlap,
    status: schedule.status,
    paused_by: schedule.pausedBy,
    paused_reason: schedule.pausedReason,
    requester: schedule.requester,
    next_at: schedule.nextAt,
    queued_at: schedule.queuedAt,
    created_at: schedule.createdAt,
    updated_at: schedule.updatedAt,
    version: schedule.version,
  };
}

function toSchedule(row: Selectable<ScheduleTable>): Schedule {
  return {
    id: row.id,
    name: row.name,
    request: row.request,
    template: row.template === null ? null : TEMPLATE.read(row.template),
    priority: row.priority,
    workingDirectory: row.working_directory,
    door: row.door,
    cron: row.cron,
    timeZone: row.time_zone,
    missed: row.missed,
    overlap: row.overlap,
    status: row.status,
    pausedBy: row.paused_by,
    pausedReason: row.paused_reason,
    requester: row.requester,
    nextAt: row.next_at,
    queuedAt: row.queued_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
