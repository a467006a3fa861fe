import { type Kysely, sql } from "kysely";

/** The worker that has a worktree, and why one could not make it; both are null in SQLite. */
export const workerWorktrees = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table workspaces add column worker_id text`.execute(db);
    await sql`alter table workspaces add column fetch_problem text`.execute(db);
  },
};
