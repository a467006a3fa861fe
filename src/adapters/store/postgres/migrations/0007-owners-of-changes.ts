import { type Kysely, sql } from "kysely";

/** The server whose repository has a change, and the server that carries out a merge. */
export const ownersOfChanges = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table workspaces add column server_id text collate "C"`.execute(db);
    await sql`alter table merges add column server_id text collate "C"`.execute(db);
  },
};
