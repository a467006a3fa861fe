import { type Kysely, sql } from "kysely";

/** Used where several servers share the database; null in SQLite, where there is one. */
export const ownersOfChanges = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table workspaces add column server_id text`.execute(db);
    await sql`alter table merges add column server_id text`.execute(db);
  },
};
