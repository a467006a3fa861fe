import { type Kysely, sql } from "kysely";

/** Checked calls of agents that work on no execution, and the person an agent was started for. */
export const agentCalls = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await statement.execute(db);
  },
};

const STATEMENTS = [
  sql`
    create table agent_calls (
      seq integer primary key autoincrement,
      id text not null unique,
      agent_id text not null references agents (id) on delete cascade deferrable initially deferred,
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
  sql`create index agent_calls_by_agent on agent_calls (agent_id, seq)`,
  sql`create index agent_calls_forwarded on agent_calls (seq) where status = 'forwarded'`,
  sql`alter table agents add column requester text`,
  sql`
    create index approvals_by_agent on approvals (agent_id, created_at, seq)
    where agent_id is not null`,
];
