import { type Kysely, type RawBuilder, sql } from "kysely";

/** What Slack sent, what is shown in Slack, and who is who there. */
export const slack = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES]) await statement.execute(db);
  },
};

const OF_TASK = sql`references tasks (id) on delete cascade deferrable initially deferred`;

const TABLES: readonly RawBuilder<unknown>[] = [
  sql`
    create table slack_deliveries (
      key text primary key,
      team text not null,
      body text not null,
      status text not null,
      tries integer not null,
      error text,
      next_at integer not null,
      at integer not null
    )`,
  sql`
    create table slack_threads (
      team text not null,
      channel text not null,
      thread_ts text not null,
      message_ts text not null,
      task_id text not null ${OF_TASK},
      user text not null,
      locale text not null,
      at integer not null,
      settled integer not null default 0,
      primary key (team, channel, message_ts)
    ) without rowid`,
  sql`
    create table slack_messages (
      seq integer primary key autoincrement,
      key text not null unique,
      team text not null,
      channel text not null,
      thread_ts text,
      ts text,
      task_id text ${OF_TASK},
      group_id text,
      priority integer not null,
      desired text not null,
      desired_hash text not null,
      sent_hash text,
      status text not null,
      tries integer not null,
      reposts integer not null,
      error text,
      next_at integer not null,
      sent_at integer,
      created_at integer not null
    )`,
  sql`
    create table slack_installations (
      team text primary key,
      enterprise text,
      bot_user text not null,
      secret text not null,
      scopes text not null,
      installed_by text not null,
      at integer not null
    ) without rowid`,
  sql`
    create table slack_links (
      team text not null,
      user text not null,
      person_id text not null,
      at integer not null,
      primary key (team, user)
    ) without rowid`,
  sql`
    create table slack_codes (
      hash text primary key,
      purpose text not null,
      data text not null,
      expires_at integer not null
    ) without rowid`,
];

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`create index slack_deliveries_due on slack_deliveries (next_at) where status = 'new'`,
  sql`create index slack_deliveries_by_time on slack_deliveries (at) where status <> 'new'`,
  sql`create index slack_threads_by_task on slack_threads (task_id)`,
  sql`create index slack_threads_by_thread on slack_threads (team, channel, thread_ts)`,
  sql`create index slack_threads_open on slack_threads (at) where settled = 0`,
  sql`create index slack_messages_by_ts on slack_messages (team, channel, ts)`,
  sql`create index slack_messages_by_task on slack_messages (task_id, seq)`,
  sql`
    create index slack_messages_unsent on slack_messages (priority, seq)
    where status <> 'dead' and desired_hash is not sent_hash`,
  sql`
    create index slack_messages_open_boards on slack_messages (seq)
    where group_id is not null and priority <> 1 and status <> 'dead'`,
  sql`create index slack_messages_past on slack_messages (created_at) where task_id is null`,
  sql`create index tasks_by_requester on tasks (requester, created_at, seq)`,
  sql`create index slack_links_by_person on slack_links (person_id)`,
];
