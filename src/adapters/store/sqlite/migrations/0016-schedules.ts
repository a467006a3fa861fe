import { type Kysely, sql } from "kysely";

/** Schedules, what happened at their planned times, and the schedule of a task. */
export const schedules = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};

const STATEMENTS = [
  sql`
    create table schedules (
      seq integer primary key autoincrement,
      id text not null unique,
      name text not null,
      request text not null,
      priority text,
      working_directory text not null,
      door text not null,
      cron text not null,
      time_zone text not null,
      missed text not null,
      overlap text not null,
      status text not null,
      paused_by text,
      paused_reason text,
      requester text not null,
      next_at integer,
      queued_at integer,
      created_at integer not null,
      updated_at integer not null,
      version integer not null
    )`,
  sql`create index schedules_due on schedules (next_at) where next_at is not null`,
  // The planned time is unique, so that it starts one task, wherever the daemon is killed.
  sql`
    create table schedule_runs (
      seq integer primary key autoincrement,
      schedule_id text not null references schedules (id) on delete cascade,
      planned_at integer not null,
      is_manual integer not null,
      status text not null,
      count integer not null,
      first_planned_at integer not null,
      task_id text,
      reason text,
      at integer not null,
      unique (schedule_id, is_manual, planned_at)
    )`,
  sql`create index schedule_runs_of_schedule on schedule_runs (schedule_id, seq)`,
  sql`create index schedule_runs_past on schedule_runs (at)`,
  sql`alter table tasks add column schedule_id text`,
  sql`
    create index tasks_open_of_schedule on tasks (schedule_id)
      where schedule_id is not null and status not in ('completed', 'failed', 'cancelled')`,
];
