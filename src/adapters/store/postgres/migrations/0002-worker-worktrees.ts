import { type Kysely, sql } from "kysely";

/** The worker that has a worktree, and why one could not make it. */
export const workerWorktrees = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table workspaces add column worker_id text collate "C"`.execute(db);
    await sql`alter table workspaces add column fetch_problem text collate "C"`.execute(db);
  },
};
