import type { AgentStatus } from "../../../domain/agent.ts";
import type { Db } from "./tables.ts";

const ALL_GROUPS = "*";

/** Adds up what the triggers counted; no agent is read. */
export async function countAgents(
  db: Db,
  groupId: string | undefined,
  statuses: readonly AgentStatus[] | undefined,
): Promise<number> {
  // No group is called so; asked for by name it must not find all.
  if (groupId === ALL_GROUPS) return 0;
  const counts = await db
    .selectFrom("agent_counts")
    .select(["status", "n"])
    .where("scope", "=", groupId ?? ALL_GROUPS)
    .execute();
  return counts
    .filter(({ status }) => statuses === undefined || statuses.includes(status))
    .reduce((sum, { n }) => sum + n, 0);
}
