import type { AgentStatus } from "../../../../domain/agents/agent.ts";
import type { Db } from "../engine/tables.ts";

const ALL_GROUPS = "*";
const OUT_OF_VIEW = "out:";

/** Adds up what the triggers counted; no agent is read. */
export async function countAgentsInView(
  db: Db,
  of: string | readonly string[] | undefined,
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
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
  return countScopes(db, [groupId], undefined);
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
