import { type Kysely, sql } from "kysely";

/** A check says something about the access mode it tried only. Old checks did not note theirs. */
export const healthByAccess = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`drop table health_checks`.execute(db);
    await sql`
      create table health_checks (
        runner text not null,
        model text not null,
        access text not null,
        status text not null,
        reason text,
        response_ms integer,
        checked_at integer not null,
        primary key (runner, model, access)
      ) without rowid`.execute(db);
  },
};
