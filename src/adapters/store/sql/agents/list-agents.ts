import { sql } from "kysely";
import type { AgentPage, AgentQuery, GroupAgentsQuery } from "../../../../app/ports/store.ts";
import { AGENT_STATUSES, type AgentStatus } from "../../../../domain/agents/agent.ts";
import type { GroupId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import type { Db } from "../engine/tables.ts";
import { countAgentsInView, countGroupAgents } from "./agent-counts.ts";
import { selectAgentViews, toAgentView } from "./agent-views.ts";

type Rows = ReturnType<typeof selectAgentViews>;

/** Newest first. The page and its total are consistent: no write can run between the two reads. */
export async function listAgents(db: Db, query: AgentQuery): Promise<AgentPage> {
  const statuses = query.statuses && AGENT_STATUSES.filter((it) => query.statuses?.includes(it));
  const after = positionOf(query);
  const [total, rows] = await Promise.all([
    countAgentsInView(db, query.groupIds ?? query.groupId, statuses),
    selectRows(db, query, statuses, after),
  ]);
  return pageOfAgents(rows, total, query);
}

/** Newest first, in view or not. */
export async function listGroupAgents(db: Db, query: GroupAgentsQuery): Promise<AgentPage> {
  const after = positionOf(query);
  const agents = ofGroup(selectAgentViews(db), query.groupId);
  const [total, rows] = await Promise.all([
    countGroupAgents(db, query.groupId),
    newestFirst(olderThan(agents, after), query.limit).execute(),
  ]);
  return pageOfAgents(rows, total, query);
}

function positionOf({ cursor }: { readonly cursor?: string }): Position | null {
  return cursor === undefined ? null : fromCursor(cursor);
}

type AgentViewRow = Parameters<typeof toAgentView>[0] & { readonly seq: number };

function pageOfAgents(
  rows: readonly AgentViewRow[],
  total: number,
  { limit }: { readonly limit: number },
): AgentPage {
  const { page, nextCursor } = pageOf(rows, limit, (row) => row.created_at);
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
  if (!statuses) return newestFirst(selectInView(db, query, after), query.limit).execute();
  const [first, ...others] = statuses.map((status) =>
    selectInView(db, query, after).where("agents.status", "=", status),
  );
  if (!first) return [];
  const merged = others.reduce((all, one) => all.unionAll(one), first);
  return newestFirst(merged, query.limit).execute();
}

function newestFirst(rows: Rows, limit: number) {
  return rows
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit + 1);
}

// A literal: a partial index is not used for a bound parameter.
function selectInView(db: Db, { groupId, groupIds }: AgentQuery, after: Position | null): Rows {
  const rows = selectAgentViews(db).where("agents.in_view", "=", sql.lit(1));
  const visible = groupIds ? rows.where("agents.group_id", "in", [...groupIds]) : rows;
  return olderThan(groupId === undefined ? visible : ofGroup(visible, groupId), after);
}

function ofGroup(rows: Rows, groupId: string): Rows {
  return rows.where("agents.group_id", "=", anyId<GroupId>(groupId));
}

function olderThan(rows: Rows, after: Position | null): Rows {
  if (after === null) return rows;
  return rows.where((agents) =>
    agents(
      agents.refTuple("agents.created_at", "agents.seq"),
      "<",
      agents.tuple(after.at, after.seq),
    ),
  );
}
