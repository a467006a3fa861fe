import { type Kysely, sql } from "kysely";

/** The template that a schedule reads its request from, with its values. */
export const scheduleTemplates = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table schedules add column template text`.execute(db);
  },
};
