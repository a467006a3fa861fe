import type { AgentStatus } from "../../../domain/agent.ts";
import type { Db } from "./tables.ts";

const ALL_GROUPS = "*";
const OUT_OF_VIEW = "out:";

/** Adds up what the triggers counted; no agent is read. */
export async function countAgentsInView(
  db: Db,
  groupId: string | undefined,
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
  // Not the name of a group: asked for by name, it must not count all of them.
  if (groupId === ALL_GROUPS || groupId?.startsWith(OUT_OF_VIEW)) return 0;
  const scope = groupId ?? ALL_GROUPS;
  const [all, out] = await Promise.all([
    countScope(db, scope, statuses),
    countScope(db, `${OUT_OF_VIEW}${scope}`, statuses),
  ]);
  return all - out;
}

/** Every agent of a group, also those that have left the view. */
export function countGroupAgents(db: Db, groupId: string): Promise<number> {
  return countScope(db, groupId, undefined);
}

async function countScope(
  db: Db,
  scope: string,
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
  const counts = await db
    .selectFrom("agent_counts")
    .select(["status", "n"])
    .where("scope", "=", scope)
    .execute();
  return counts
    .filter(({ status }) => statuses === undefined || statuses.includes(status))
    .reduce((sum, { n }) => sum + n, 0);
}
