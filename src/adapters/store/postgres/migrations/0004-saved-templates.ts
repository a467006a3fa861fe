import { type Kysely, sql } from "kysely";

/** Templates that people save: a file of one server would be missing on the others. */
export const savedTemplates = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table saved_templates (
        id text collate "C" primary key,
        text text collate "C" not null,
        saved_by text collate "C" not null,
        saved_at bigint not null
      )`.execute(db);
  },
};
