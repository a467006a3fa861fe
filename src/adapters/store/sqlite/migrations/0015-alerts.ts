import { type Kysely, sql } from "kysely";

/** Alerts for people, one row per target, and how far the events have been read for them. */
export const alerts = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};

const STATEMENTS = [
  sql`
    create table alerts (
      seq integer primary key autoincrement,
      id text not null unique,
      key text not null,
      target text not null,
      kind text not null,
      task_id text,
      group_id text,
      agent_id text,
      approval_id text,
      title text not null,
      detail text,
      requester text,
      recipients text,
      status text not null,
      due_at integer,
      message_id text,
      tries integer not null,
      error text,
      created_at integer not null,
      ended_at integer,
      version integer not null,
      unique (key, target)
    )`,
  sql`create index alerts_due on alerts (due_at, seq) where due_at is not null`,
  sql`create index alerts_due_by_target on alerts (target, due_at, seq) where due_at is not null`,
  sql`create index alerts_by_target on alerts (target, seq)`,
  sql`create index alerts_by_status on alerts (status, seq)`,
  sql`create index alerts_past on alerts (created_at) where status <> 'pending'`,
  sql`create table alert_cursor (id integer primary key check (id = 1), seq integer not null)`,
];
