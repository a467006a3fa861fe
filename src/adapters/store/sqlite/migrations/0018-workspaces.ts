import { type Kysely, type RawBuilder, sql } from "kysely";

/** Workspaces of isolated agents, their changes and merges, and the working tree of a writer. */
export const workspaces = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...TABLES, ...INDEXES]) await statement.execute(db);
  },
};

// No foreign key: the agent may stay longer than its workspace.
const COLUMNS: readonly RawBuilder<unknown>[] = [
  sql`alter table agents add column tree text`,
  sql`alter table agents add column workspace_id text`,
];

const TABLES: readonly RawBuilder<unknown>[] = [
  sql`
    create table workspaces (
      seq integer primary key autoincrement,
      id text not null unique,
      agent_id text not null,
      group_id text not null,
      task_id text,
      requester text,
      status text not null,
      outcome text not null,
      repository text not null,
      source text not null,
      prefix text not null,
      path text not null,
      branch text not null,
      based_on text not null,
      base text,
      start text,
      target text,
      version integer not null,
      head text,
      files integer not null,
      added integer not null,
      removed integer not null,
      attention text not null,
      port_from integer,
      port_count integer,
      disk_bytes integer,
      fingerprint text,
      created_at integer not null,
      captured_at integer,
      closed_at integer,
      retired_at integer,
      revision integer not null
    )`,
  sql`
    create table change_versions (
      workspace_id text not null references workspaces (id) on delete cascade,
      version integer not null,
      agent_id text not null,
      base text not null,
      commit_id text not null,
      tree_id text not null,
      files integer not null,
      added integer not null,
      removed integer not null,
      paths text not null,
      attention text not null,
      at integer not null,
      primary key (workspace_id, version)
    )`,
  sql`
    create table change_comments (
      seq integer primary key autoincrement,
      id text not null unique,
      workspace_id text not null references workspaces (id) on delete cascade,
      version integer not null,
      path text not null,
      side text,
      line integer,
      end_line integer,
      quote text not null,
      body text not null,
      author text not null,
      status text not null,
      created_at integer not null,
      sent_at integer,
      sent_to text,
      revision integer not null
    )`,
  // The smaller id is first, so that a pair has one row.
  sql`
    create table workspace_overlaps (
      a text not null references workspaces (id) on delete cascade,
      b text not null references workspaces (id) on delete cascade,
      level text not null,
      paths text not null,
      at integer not null,
      primary key (a, b),
      check (a < b)
    )`,
  sql`
    create table merges (
      seq integer primary key autoincrement,
      id text not null unique,
      workspace_id text not null references workspaces (id) on delete cascade,
      agent_id text not null,
      group_id text not null,
      task_id text,
      repository text not null,
      version integer not null,
      change_commit text not null,
      base text not null,
      target text not null,
      mode text not null,
      message text not null,
      status text not null,
      approval_id text,
      requester text not null,
      into_checkout integer not null,
      from_commit text,
      result_commit text,
      check_exit integer,
      check_output text,
      problem text,
      conflicts text not null,
      created_at integer not null,
      queued_at integer,
      ended_at integer,
      revision integer not null
    )`,
  sql`
    create table pending_ends (
      agent_id text primary key references agents (id) on delete cascade,
      end text not null
    )`,
];

const INDEXES: readonly RawBuilder<unknown>[] = [
  sql`
    create index agents_writers on agents (tree)
      where tree is not null and access = 'read-write' and process <> 'ended'`,
  // Lists are ordered by seq, which ends every index.
  sql`create index workspaces_by_group on workspaces (group_id)`,
  sql`create index workspaces_by_task on workspaces (task_id) where task_id is not null`,
  sql`create index workspaces_by_state on workspaces (outcome, status)`,
  sql`create index workspaces_by_repository on workspaces (repository)`,
  sql`
    create index workspaces_by_repository_and_state on workspaces (repository, outcome, status)`,
  sql`create index workspaces_open on workspaces (repository) where outcome = 'open'`,
  sql`create index workspaces_present on workspaces (seq) where status not in ('planned', 'retired')`,
  sql`
    create index workspaces_with_ports on workspaces (port_from, port_count)
      where port_from is not null and status <> 'retired'`,
  sql`create index change_comments_by_workspace on change_comments (workspace_id)`,
  sql`create index workspace_overlaps_by_second on workspace_overlaps (b)`,
  sql`create index merges_by_workspace on merges (workspace_id)`,
  sql`create index merges_by_group on merges (group_id)`,
  sql`create index merges_by_task on merges (task_id) where task_id is not null`,
  sql`create index merges_by_status on merges (status)`,
  sql`create index merges_queued on merges (queued_at, seq) where status in ('queued', 'checking')`,
];
