import { type Kysely, sql } from "kysely";

/** The one row names the server that leads, and until when it does unless it extends that. */
export const leader = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table leader (
        is_only boolean primary key default true check (is_only),
        server_id text collate "C",
        epoch bigint,
        until timestamptz not null default '-infinity'
      )`.execute(db);
    await sql`insert into leader default values`.execute(db);
  },
};
