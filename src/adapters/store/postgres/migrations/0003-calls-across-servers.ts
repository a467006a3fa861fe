import { type Kysely, sql } from "kysely";

/**
 * The server that forwarded a call, whether the agent got its answer, and the server that is asked to
 * forward it; the server that runs the one copy of an upstream server.
 */
export const callsAcrossServers = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["tool_calls", "agent_calls"]) {
      await sql`
        alter table ${sql.table(table)}
          add column sent_by text collate "C",
          add column delivery text collate "C",
          add column handed_to text collate "C"`.execute(db);
    }
    await sql`
      create table upstream_owners (
        name text collate "C" primary key,
        owner text collate "C" not null,
        listing text collate "C"
      )`.execute(db);
  },
};
