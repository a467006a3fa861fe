import { type Kysely, sql } from "kysely";

/** The server that forwarded a call, and whether the agent got its answer. */
export const callsAcrossServers = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["tool_calls", "agent_calls"]) {
      await sql`
        alter table ${sql.table(table)}
          add column sent_by text collate "C",
          add column delivery text collate "C"`.execute(db);
    }
  },
};
