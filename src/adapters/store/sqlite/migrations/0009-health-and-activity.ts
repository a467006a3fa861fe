import { type Kysely, sql } from "kysely";

/**
 * Health checks by access mode: old checks did not record theirs. The activity of an agent: when it
 * read its prompt, its open tool calls and the last one that ended.
 */
export const healthAndActivity = {
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
    await sql`alter table agent_progress add column activity text`.execute(db);
  },
};
