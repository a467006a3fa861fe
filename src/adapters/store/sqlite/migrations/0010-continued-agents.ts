import { type Kysely, sql } from "kysely";

/** The agent whose conversation an agent continues, and the agents that continue a conversation. */
export const continuedAgents = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agents add column resumed_agent_id text`.execute(db);
    await sql`
      create index agents_by_resumed_session on agents (resume_session, seq)
      where resume_session is not null`.execute(db);
  },
};
