import { type Kysely, sql } from "kysely";

/** The server that runs an agent. In SQLite there is only one, and the column stays empty. */
export const workers = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agents add column worker_id text`.execute(db);
  },
};
