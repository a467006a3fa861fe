import { type Kysely, sql } from "kysely";

/** Looking back at one runner. An agent enters when it ends: what runs pays nothing for it. */
export const historyByRunner = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index history_by_runner on agents (runner, ended_at, seq)
      where process = 'ended'`.execute(db);
  },
};
