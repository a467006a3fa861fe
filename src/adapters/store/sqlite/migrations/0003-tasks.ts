import { type Kysely, type RawBuilder, sql } from "kysely";

/** Tasks with their drafts, executions, approvals and tool calls; pins, the audit and sign-ins. */
export const tasks = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...TABLES, ...INDEXES, ...TRIGGERS]) {
      await statement.execute(db);
    }
  },
};

const COLUMNS: readonly RawBuilder<unknown>[] = [
  sql`alter table agents add column task_id text`,
  sql`alter table agents add column execution_id text`,
  sql`alter table agents add column resume_session text`,
  sql`alter table notifications add column task_id text`,
  sql`alter table events add column task_id text`,
];

// Deferred: a transaction may insert related rows in any order.
const OF_TASK = sql`references tasks (id) on delete cascade deferrable initially deferred`;

const TABLES: readonly RawBuilder<unknown>[] = [
  // `search`: id, title and request in lower case, because SQLite folds only ASCII.
  sql`
    create table tasks (
      seq integer primary key autoincrement,
      id text not null unique,
      request text not null,
      requester text not null,
      door text not null,
      status text not null,
      title text,
      description text,
      priority text not null,
      is_priority_given integer not null,
      type text,
      working_directory text not null,
      group_id text not null,
      regenerations integer not null,
      draft_agent_id text,
      draft_tries integer not null,
      prompt_id text,
      process_id text,
      execution_id text,
      failure text,
      status_by text,
      status_reason text,
      search text not null,
      created_at integer not null,
      updated_at integer not null,
      ended_at integer,
      version integer not null
    )`,
  sql`
    create table task_counts (
      status text primary key,
      n integer not null
    ) without rowid`,
  sql`
    create table prompt_drafts (
      id text primary key,
      task_id text not null ${OF_TASK},
      version integer not null,
      content text not null,
      agent_id text,
      created_at integer not null
    )`,
  sql`
    create table process_drafts (
      id text primary key,
      task_id text not null ${OF_TASK},
      prompt_id text not null,
      version integer not null,
      steps text not null,
      agent_id text,
      created_at integer not null
    )`,
  sql`
    create table executions (
      id text primary key,
      task_id text not null ${OF_TASK},
      process_id text not null,
      attempt integer not null,
      status text not null,
      agent_id text,
      agent_ids text not null,
      steps text not null,
      named_step_id text,
      stop_for text,
      summary text,
      response text,
      error text,
      created_at integer not null,
      started_at integer,
      ended_at integer,
      version integer not null
    )`,
  // `due_at`: the earlier of reminder and expiry while the approval is pending.
  sql`
    create table approvals (
      seq integer primary key autoincrement,
      id text not null unique,
      kind text not null,
      status text not null,
      task_id text ${OF_TASK},
      execution_id text,
      step_id text,
      agent_id text,
      subject_id text,
      binding text,
      requester text not null,
      policy text not null,
      title text not null,
      shown text not null,
      shown_hash text not null,
      choices text not null,
      votes text not null,
      decided_by text,
      decided_at integer,
      reason text,
      choice text,
      used_at integer,
      expires_at integer,
      remind_at integer,
      due_at integer,
      created_at integer not null,
      version integer not null,
      revision integer not null
    )`,
  sql`
    create table tool_calls (
      seq integer primary key autoincrement,
      id text not null unique,
      task_id text not null ${OF_TASK},
      execution_id text not null,
      agent_id text not null,
      step_id text,
      server text not null,
      tool text not null,
      args text not null,
      args_hash text not null,
      status text not null,
      approval_id text,
      answer text,
      error text,
      started_at integer not null,
      ended_at integer,
      version integer not null
    )`,
  sql`
    create table tool_pins (
      server text not null,
      tool text not null,
      hash text not null,
      definition text not null,
      accepted_by text not null,
      at integer not null,
      primary key (server, tool)
    ) without rowid`,
  sql`
    create table audit (
      seq integer primary key,
      at integer not null,
      actor text not null,
      action text not null,
      subject text not null,
      data text not null,
      prev_hash text not null,
      hash text not null
    )`,
  sql`
    create table sign_ins (
      hash text primary key,
      person_id text not null,
      created_at integer not null,
      expires_at integer not null
    ) without rowid`,
];

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`create index agents_by_task on agents (task_id, seq) where task_id is not null`,
  sql`
    create index agents_unsettled_by_task on agents (task_id, seq)
    where process <> 'ended' and task_id is not null`,
  sql`create index events_by_task on events (task_id, seq) where task_id is not null`,
  sql`
    create index notifications_by_task on notifications (task_id, seq)
    where task_id is not null`,
  sql`
    create index notifications_stop on notifications (agent_id)
    where type in ('blocked', 'cancelled') and status <> 'cleared'`,
  sql`create index tasks_newest on tasks (created_at, seq)`,
  sql`create index tasks_by_status on tasks (status, created_at, seq)`,
  sql`create index tasks_by_group on tasks (group_id)`,
  sql`
    create index tasks_unfinished on tasks (created_at, seq)
    where status not in ('completed', 'failed', 'cancelled')`,
  sql`
    create index tasks_past on tasks (ended_at, seq)
    where status in ('completed', 'failed', 'cancelled')`,
  sql`create unique index prompt_drafts_by_task on prompt_drafts (task_id, version)`,
  sql`create unique index process_drafts_by_task on process_drafts (task_id, version)`,
  sql`create unique index executions_by_task on executions (task_id, attempt)`,
  sql`
    create index executions_open on executions (task_id)
    where status not in ('completed', 'failed', 'blocked', 'cancelled')`,
  sql`create index approvals_newest on approvals (created_at, seq)`,
  sql`create index approvals_by_status on approvals (status, created_at, seq)`,
  sql`create index approvals_by_kind on approvals (kind, created_at, seq)`,
  sql`create index approvals_by_kind_and_status on approvals (kind, status, created_at, seq)`,
  sql`
    create index approvals_by_task on approvals (task_id, created_at, seq)
    where task_id is not null`,
  sql`
    create index approvals_by_execution on approvals (execution_id, created_at, seq)
    where execution_id is not null`,
  sql`create index approvals_by_binding on approvals (binding, seq) where binding is not null`,
  sql`create index approvals_due on approvals (due_at, seq) where due_at is not null`,
  sql`
    create index approvals_past on approvals (created_at)
    where task_id is null and status <> 'pending'`,
  sql`create index tool_calls_by_execution on tool_calls (execution_id, seq)`,
  sql`create index tool_calls_by_task on tool_calls (task_id, seq)`,
  sql`create index tool_calls_forwarded on tool_calls (seq) where status = 'forwarded'`,
  sql`create index audit_by_subject on audit (subject, seq)`,
  sql`create index audit_by_actor on audit (actor, seq)`,
  sql`create index sign_ins_by_expiry on sign_ins (expires_at)`,
];

const TRIGGERS: readonly RawBuilder<unknown>[] = [
  sql`
    create trigger tasks_counted_insert after insert on tasks begin
      insert into task_counts values (new.status, 1) on conflict do update set n = n + 1;
    end`,
  sql`
    create trigger tasks_counted_update after update of status on tasks
    when old.status <> new.status begin
      update task_counts set n = n - 1 where status = old.status;
      insert into task_counts values (new.status, 1) on conflict do update set n = n + 1;
    end`,
  sql`
    create trigger tasks_counted_delete after delete on tasks begin
      update task_counts set n = n - 1 where status = old.status;
    end`,
  // Never deleted: a chain with a gap proves nothing.
  sql`
    create trigger audit_is_not_changed before update on audit begin
      select raise(abort, 'the audit is append-only');
    end`,
  sql`
    create trigger audit_is_not_deleted before delete on audit begin
      select raise(abort, 'the audit is append-only');
    end`,
];
