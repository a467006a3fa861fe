import { type Kysely, sql } from "kysely";

/** Why a runner cannot be used now, and why an agent does not run with the first of its role. */
export const runnerProblems = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table runner_problems (
        runner text primary key,
        kind text not null,
        reason text not null,
        since integer not null,
        until integer,
        reset_known integer not null,
        count integer not null
      ) without rowid`.execute(db);
    await sql`alter table agents add column runner_note text`.execute(db);
  },
};
