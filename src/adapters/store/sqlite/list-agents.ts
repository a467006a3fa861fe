import type { AgentPage, AgentQuery } from "../../../app/ports/store.ts";
import { AGENT_STATUSES, type AgentStatus } from "../../../domain/agent.ts";
import type { GroupId } from "../../../domain/ids.ts";
import { countAgents } from "./agent-counts.ts";
import { selectAgentViews, toAgentView } from "./agent-views.ts";
import { anyId } from "./any-id.ts";
import { fromCursor, pageOf, type Position } from "./cursor.ts";
import type { Db } from "./tables.ts";

/** Newest first. The page and its total are read at the same moment: nothing waits in between. */
export async function listAgents(db: Db, query: AgentQuery): Promise<AgentPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const statuses = query.statuses && AGENT_STATUSES.filter((it) => query.statuses?.includes(it));
  const [total, rows] = await Promise.all([
    countAgents(db, query.groupId, statuses),
    selectRows(db, query, statuses, after),
  ]);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { agents: page.map(toAgentView), total, nextCursor };
}

/**
 * One select per status, merged: each walks its own index in order and stops early. A single
 * `status in (…)` would have to sort everything that matches.
 */
async function selectRows(
  db: Db,
  query: AgentQuery,
  statuses: readonly AgentStatus[] | undefined,
  after: Position | null,
) {
  if (!statuses) return newestFirst(selectAgents(db, query, after), query.limit).execute();
  const [first, ...others] = statuses.map((status) =>
    selectAgents(db, query, after).where("agents.status", "=", status),
  );
  if (!first) return [];
  const merged = others.reduce((all, one) => all.unionAll(one), first);
  return newestFirst(merged, query.limit).execute();
}

function newestFirst(rows: ReturnType<typeof selectAgents>, limit: number) {
  return rows
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit + 1);
}

function selectAgents(db: Db, { groupId }: AgentQuery, after: Position | null) {
  const rows = selectAgentViews(db);
  const inGroup =
    groupId === undefined ? rows : rows.where("agents.group_id", "=", anyId<GroupId>(groupId));
  if (after === null) return inGroup;
  return inGroup.where((agents) =>
    agents(
      agents.refTuple("agents.created_at", "agents.seq"),
      "<",
      agents.tuple(after.at, after.seq),
    ),
  );
}
