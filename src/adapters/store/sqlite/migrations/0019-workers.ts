import { type Kysely, sql } from "kysely";

/** What hosts that run an agent must have, and the host that runs it, which is null in SQLite. */
export const workers = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table agents add column worker_id text`.execute(db);
    await sql`alter table agents add column labels text not null default '[]'`.execute(db);
  },
};
