import type { Migration } from "kysely/migration";
import { initial } from "./0001-initial/initial.ts";
import { workerWorktrees } from "./0002-worker-worktrees.ts";
import { callsAcrossServers } from "./0003-calls-across-servers.ts";
import { savedTemplates } from "./0004-saved-templates.ts";
import { leader } from "./0005-leader.ts";
import { restores } from "./0006-restores.ts";
import { ownersOfChanges } from "./0007-owners-of-changes.ts";
import { databaseStamps } from "./0008-database-stamps.ts";

/**
 * In the order of their names. A migration only adds (tables, columns with defaults, indexes), so
 * that servers of the version before go on working until they are updated.
 *
 * A migration that rewrites the rows of `events` (a column with a volatile default, another type) must
 * keep their `xid`, and must not rewrite `database_stamps`: a database in which neither has the
 * transaction of its row is taken for a restored dump.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": initial,
  "0002-worker-worktrees": workerWorktrees,
  "0003-calls-across-servers": callsAcrossServers,
  "0004-saved-templates": savedTemplates,
  "0005-leader": leader,
  "0006-restores": restores,
  "0007-owners-of-changes": ownersOfChanges,
  "0008-database-stamps": databaseStamps,
};
