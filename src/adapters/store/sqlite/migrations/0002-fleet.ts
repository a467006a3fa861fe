import { type Kysely, type RawBuilder, sql } from "kysely";

/** Stages, orchestrators, what is in view, history, usage, notifications and health. */
export const fleet = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...TABLES, ...INDEXES]) await statement.execute(db);
  },
};

const COLUMNS: readonly RawBuilder<unknown>[] = [
  sql`alter table agents add column slot text not null default 'worker'`,
  sql`alter table agents add column held integer not null default 0`,
  // Every group is in view at first, also groups that were deleted before this version.
  sql`alter table agents add column in_view integer not null default 1`,
  sql`alter table groups add column stages text`,
  sql`alter table groups add column magentic text`,
  sql`alter table groups add column in_view integer not null default 1`,
  // Orders groups of the same millisecond; the hidden rowid may change with vacuum.
  sql`alter table groups add column seq integer not null default 0`,
  sql`update groups set seq = rowid`,
];

const TABLES: readonly RawBuilder<unknown>[] = [
  sql`
    create table notifications (
      seq integer primary key autoincrement,
      id text not null unique,
      agent_id text not null references agents (id) on delete cascade,
      type text not null,
      status text not null,
      text text not null,
      sender text not null,
      created_at integer not null,
      announced_at integer,
      read_at integer,
      version integer not null
    )`,
  sql`
    create table health_checks (
      runner text not null,
      model text not null,
      status text not null,
      reason text,
      response_ms integer,
      checked_at integer not null,
      primary key (runner, model)
    ) without rowid`,
  sql`
    create table runner_models (
      runner text primary key,
      models text not null,
      checked_at integer not null
    ) without rowid`,
  sql`
    create table usage_daily (
      day text not null,
      runner text not null,
      model text not null,
      role text not null,
      agents integer not null,
      input_tokens integer not null,
      output_tokens integer not null,
      cache_read_tokens integer not null,
      cache_write_tokens integer not null,
      primary key (day, runner, model, role)
    ) without rowid`,
];

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`drop index agents_waiting`,
  sql`
    create index agents_waiting on agents (slot, held, priority desc, created_at, seq)
    where process = 'waiting'`,
  sql`create index agents_by_stage on agents (group_id, stage_index) where stage_index is not null`,
  sql`create index agents_in_view on agents (created_at, seq) where in_view = 1`,
  sql`create index agents_in_view_by_group on agents (group_id) where in_view = 1`,
  sql`
    create index agents_past_view on agents (ended_at, seq)
    where process = 'ended' and in_view = 0`,
  // One for every filter of the history that may be used alone, so that each query can stop early.
  sql`create index history on agents (ended_at, seq) where process = 'ended'`,
  sql`create index history_by_group on agents (group_id, ended_at, seq) where process = 'ended'`,
  sql`create index history_by_role on agents (role, ended_at, seq) where process = 'ended'`,
  sql`create index history_by_status on agents (status, ended_at, seq) where process = 'ended'`,
  sql`
    create index history_by_role_and_status on agents (role, status, ended_at, seq)
    where process = 'ended'`,
  sql`create unique index groups_by_seq on groups (seq)`,
  sql`create index groups_active on groups (created_at, seq) where status = 'active'`,
  sql`
    create index groups_unfinished on groups (id) where status = 'active'
      and json_extract(stages, '$.current') < json_extract(stages, '$.total')`,
  sql`create index groups_in_view on groups (created_at, seq) where in_view = 1`,
  sql`create index groups_leaving on groups (id) where status = 'deleted' and in_view = 1`,
  sql`create index groups_past on groups (deleted_at) where status = 'deleted'`,
  sql`
    create index groups_by_parent on groups (parent_group_id, seq)
    where parent_group_id is not null`,
  sql`create index notifications_by_agent on notifications (agent_id)`,
  sql`
    create index notifications_open on notifications (agent_id)
    where status in ('pending', 'announced')`,
];
