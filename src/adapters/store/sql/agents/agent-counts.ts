import { sql } from "kysely";
import type { AgentStatus } from "../../../../domain/agents/agent.ts";
import type { GroupId } from "../../../../domain/ids.ts";
import { anyIds } from "../engine/any-id.ts";
import { isPostgres } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";

const ALL_GROUPS = "*";
const OUT_OF_VIEW = "out:";

/**
 * SQLite adds up what its triggers counted; no agent is read. On PostgreSQL such a row would make all
 * writers wait for each other, so it counts by the indexes.
 */
export async function countAgentsInView(
  db: Db,
  of: string | readonly string[] | undefined,
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
  if (isPostgres(db)) return countRows(db, { of, statuses, isInView: true });
  const scopes = of === undefined ? [ALL_GROUPS] : [of].flat().filter(isGroupName);
  if (scopes.length === 0) return 0;
  const [all, out] = await Promise.all([
    countScopes(db, scopes, statuses),
    countScopes(
      db,
      scopes.map((scope) => `${OUT_OF_VIEW}${scope}`),
      statuses,
    ),
  ]);
  return all - out;
}

/** One of our internal scopes, given as a group id, must not count all groups. */
function isGroupName(id: string): boolean {
  return id !== ALL_GROUPS && !id.startsWith(OUT_OF_VIEW);
}

/** Counts every agent of a group, in view or not. */
export function countGroupAgents(db: Db, groupId: string): Promise<number> {
  if (isPostgres(db)) return countRows(db, { of: groupId, statuses: undefined, isInView: false });
  return countScopes(db, [groupId], undefined);
}

type Counted = {
  readonly of: string | readonly string[] | undefined;
  readonly statuses: readonly AgentStatus[] | undefined;
  readonly isInView: boolean;
};

async function countRows(db: Db, { of, statuses, isInView }: Counted): Promise<number> {
  let rows = db.selectFrom("agents").select((select) => select.fn.countAll<number>().as("n"));
  if (isInView) rows = rows.where("in_view", "=", sql.lit(1));
  if (of !== undefined) rows = rows.where("group_id", "in", anyIds<GroupId>(db, [of].flat()));
  if (statuses !== undefined) {
    rows = rows.where("status", "in", anyIds<AgentStatus>(db, statuses));
  }
  return (await rows.executeTakeFirstOrThrow()).n;
}

async function countScopes(
  db: Db,
  scopes: readonly string[],
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
  const counts = await db
    .selectFrom("agent_counts")
    .select(["status", "n"])
    .where("scope", "in", scopes)
    .execute();
  return counts
    .filter(({ status }) => statuses === undefined || statuses.includes(status))
    .reduce((sum, { n }) => sum + n, 0);
}

export async function deleteCountsOf(db: Db, groupIds: readonly GroupId[]): Promise<void> {
  if (isPostgres(db)) return;
  const scopes = groupIds.flatMap((id) => [id, `${OUT_OF_VIEW}${id}`]);
  await db.deleteFrom("agent_counts").where("scope", "in", anyIds(db, scopes)).execute();
}
