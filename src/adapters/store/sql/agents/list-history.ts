import { type RawBuilder, type Selectable, sql } from "kysely";
import type { HistoryPage, HistoryQuery } from "../../../../app/ports/store.ts";
import type { AgentResult } from "../../../../domain/agents/result.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import { tableBy } from "../engine/dialect.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { AgentTable, Db } from "../engine/tables.ts";
import { toAgent } from "./agent-row.ts";

const RESULT = jsonColumn<AgentResult>();

type HistoryRow = Selectable<AgentTable> & { readonly ended_at: number; readonly result: string };

/** Settled agents with their results, by default the last ended first. */
export async function listHistory(db: Db, query: HistoryQuery): Promise<HistoryPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const way = query.order === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<HistoryRow>`
    select agents.*, agent_results.result
      from ${tableBy(db, "agents", indexFor(query))}
      join agent_results on agent_results.agent_id = agents.id
      where ${sql.join(conditionsOf(query, after), sql` and `)}
      order by agents.ended_at ${way}, agents.seq ${way}
      limit ${query.limit + 1}`.execute(db);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.ended_at);
  const entries = page.map((row) => ({ agent: toAgent(row), result: RESULT.read(row.result) }));
  return { entries, nextCursor };
}

/**
 * Names the index, because SQLite has no statistics: its own choice would read all agents of a role
 * to find the few of one group. A group is small enough to read completely, and the agents of one
 * role mostly have one runner.
 */
function indexFor({ groupId, role, runner, status }: HistoryQuery): string {
  if (groupId !== undefined) return "history_by_group";
  if (role !== undefined && status !== undefined) return "history_by_role_and_status";
  if (role !== undefined) return "history_by_role";
  if (runner !== undefined) return "history_by_runner";
  return status !== undefined ? "history_by_status" : "history";
}

function conditionsOf(query: HistoryQuery, after: Position | null): readonly RawBuilder<unknown>[] {
  const { groupId, role, runner, status, from, until } = query;
  const beyond = query.order === "asc" ? sql`>` : sql`<`;
  return [
    sql`agents.process = 'ended'`,
    sql`agents.ended_at is not null`,
    sql`agent_results.result is not null`,
    ...(groupId === undefined ? [] : [sql`agents.group_id = ${groupId}`]),
    ...(role === undefined ? [] : [sql`agents.role = ${role}`]),
    ...(runner === undefined ? [] : [sql`agents.runner = ${runner}`]),
    ...(status === undefined ? [] : [sql`agents.status = ${status}`]),
    ...(from === undefined ? [] : [sql`agents.ended_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`agents.ended_at < ${until}`]),
    ...(after === null
      ? []
      : [sql`(agents.ended_at, agents.seq) ${beyond} (${after.at}, ${after.seq})`]),
  ];
}
