import { type Kysely, sql } from "kysely";

/** The history of one runner. Contains ended agents only, so running agents cost no index writes. */
export const historyByRunner = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index history_by_runner on agents (runner, ended_at, seq)
      where process = 'ended'`.execute(db);
  },
};
