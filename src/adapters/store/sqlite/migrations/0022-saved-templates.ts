import { type Kysely, sql } from "kysely";

/** Used where several servers share the database; empty in SQLite, where templates are files. */
export const savedTemplates = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table saved_templates (
        id text primary key,
        text text not null,
        saved_by text not null,
        saved_at integer not null
      ) without rowid`.execute(db);
  },
};
