import { type Kysely, sql } from "kysely";

/** Used where several servers share the database; null in SQLite, where there is one process. */
export const callsAcrossServers = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ["tool_calls", "agent_calls"]) {
      await sql`alter table ${sql.table(table)} add column sent_by text`.execute(db);
      await sql`alter table ${sql.table(table)} add column delivery text`.execute(db);
      await sql`alter table ${sql.table(table)} add column handed_to text`.execute(db);
    }
  },
};
