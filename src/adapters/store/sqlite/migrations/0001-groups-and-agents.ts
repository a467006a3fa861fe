import { type Kysely, type RawBuilder, sql } from "kysely";

/** Never edit a released migration: a change of the schema is a new file. */
export const groupsAndAgents = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...INDEXES, ...TRIGGERS]) await statement.execute(db);
  },
};

const TABLES: readonly RawBuilder<unknown>[] = [
  sql`
    create table groups (
      id text primary key,
      description text not null,
      mode text not null,
      status text not null,
      parent_group_id text references groups (id),
      orchestrator_agent_id text,
      created_at integer not null,
      deleted_at integer,
      version integer not null
    )`,
  // An explicit seq: the hidden rowid may change with vacuum, and cursors hold it.
  sql`
    create table agents (
      seq integer primary key autoincrement,
      id text not null unique,
      group_id text not null references groups (id),
      role text not null,
      runner text not null,
      model text not null,
      status text not null,
      process text not null,
      stop_reason text,
      working_directory text not null,
      access text not null,
      timeout_ms integer,
      priority integer not null,
      stage_index integer,
      client_keys text not null,
      attempt integer not null,
      token_hash text,
      pid integer,
      pid_start text,
      boot_id text,
      exit_code integer,
      created_at integer not null,
      started_at integer,
      ended_at integer,
      reported_at integer,
      version integer not null
    )`,
  sql`
    create table agent_prompts (
      agent_id text primary key references agents (id) on delete cascade,
      prompt text not null
    )`,
  sql`
    create table agent_progress (
      agent_id text primary key references agents (id) on delete cascade,
      "offset" integer not null,
      lines integer not null,
      skipped_lines integer not null,
      tool_call_count integer not null,
      last_message text not null,
      edited_files text not null,
      created_files text not null,
      usage text,
      session_id text,
      reported_model text,
      "end" text
    )`,
  sql`
    create table agent_results (
      agent_id text primary key references agents (id) on delete cascade,
      report text,
      result text
    )`,
  sql`
    create table agent_counts (
      scope text not null,
      status text not null,
      n integer not null,
      primary key (scope, status)
    ) without rowid`,
  sql`
    create table events (
      seq integer primary key autoincrement,
      type text not null,
      group_id text,
      agent_id text,
      data text not null,
      at integer not null
    )`,
];

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`create index agents_newest on agents (created_at, seq)`,
  sql`create index agents_by_group on agents (group_id, created_at, seq)`,
  sql`create index agents_by_status on agents (status, created_at, seq)`,
  sql`create index agents_by_group_and_status on agents (group_id, status, created_at, seq)`,
  // These contain only agents that have not ended, so they stay small.
  sql`
    create index agents_waiting on agents (priority desc, created_at, seq)
    where process = 'waiting'`,
  sql`
    create index agents_live on agents (created_at, seq)
    where process in ('starting', 'alive')`,
  sql`create index agents_unsettled on agents (group_id) where process <> 'ended'`,
  sql`create index agents_token on agents (token_hash) where process <> 'ended'`,
];

const TRIGGERS: readonly RawBuilder<unknown>[] = [
  sql`
    create trigger agents_counted_insert after insert on agents begin
      insert into agent_counts values ('*', new.status, 1), (new.group_id, new.status, 1)
        on conflict do update set n = n + 1;
    end`,
  sql`
    create trigger agents_counted_update after update of status, group_id on agents
    when old.status <> new.status or old.group_id <> new.group_id begin
      update agent_counts set n = n - 1
        where scope in ('*', old.group_id) and status = old.status;
      insert into agent_counts values ('*', new.status, 1), (new.group_id, new.status, 1)
        on conflict do update set n = n + 1;
    end`,
  sql`
    create trigger agents_counted_delete after delete on agents begin
      update agent_counts set n = n - 1
        where scope in ('*', old.group_id) and status = old.status;
    end`,
  // Events cannot be changed. They can be deleted, to limit the history.
  sql`
    create trigger events_are_not_changed before update on events begin
      select raise(abort, 'events are append-only');
    end`,
];
