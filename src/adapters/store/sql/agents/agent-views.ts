import { type Selectable, sql } from "kysely";
import type { AgentView } from "../../../../app/ports/store.ts";
import type { Usage } from "../../../../domain/agents/runner.ts";
import type { AgentId, GroupId } from "../../../../domain/ids.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { AgentTable, Db } from "../engine/tables.ts";
import { toAgent } from "./agent-row.ts";
import { readActivity } from "./progress.ts";

const USAGE = jsonColumn<Usage>();

type ViewRow = Selectable<AgentTable> & {
  readonly tool_call_count: number | null;
  readonly last_message: string | null;
  readonly usage: string | null;
  readonly reported_model: string | null;
  readonly activity: string | null;
};

export function selectAgentViews(db: Db) {
  return db
    .selectFrom("agents")
    .leftJoin("agent_progress", "agent_progress.agent_id", "agents.id")
    .selectAll("agents")
    .select([
      "agent_progress.tool_call_count",
      "agent_progress.last_message",
      "agent_progress.usage",
      "agent_progress.reported_model",
      "agent_progress.activity",
    ]);
}

export function toAgentView(row: ViewRow): AgentView {
  const { promptSentAt, openTools, lastTool, costUsd } = readActivity(row.activity);
  return {
    agent: toAgent(row),
    toolCallCount: row.tool_call_count ?? 0,
    lastMessage: row.last_message ?? "",
    usage: row.usage === null ? null : USAGE.read(row.usage),
    reportedModel: row.reported_model,
    costUsd,
    promptSentAt,
    openTools,
    lastTool,
  };
}

export async function listAgentsInView(db: Db, limit: number): Promise<readonly AgentView[]> {
  const rows = await selectAgentViews(db)
    .where("agents.in_view", "=", sql.lit(1))
    .orderBy("agents.created_at", "desc")
    .orderBy("agents.seq", "desc")
    .limit(limit)
    .execute();
  return rows.map(toAgentView);
}

/**
 * Reads only deleted groups that are still in view, which are few (SQLite never reorders a cross
 * join). A group leaves once, so each is returned once. An agent whose process has not exited stays
 * in view: its transcript is still being written.
 */
export async function shrinkView(db: Db, keep: number) {
  const agents = await sql<{ id: AgentId }>`
    update agents set in_view = 0 where seq in (
      select agents.seq from groups cross join agents
        where groups.status = 'deleted' and groups.in_view = 1
          and agents.group_id = groups.id and agents.in_view = 1
          and agents.process = 'ended'
        order by agents.created_at desc, agents.seq desc
        limit 9223372036854775807 offset ${keep})
      returning id`.execute(db);
  const groups = await sql<{ id: GroupId }>`
    update groups set in_view = 0
      where status = 'deleted' and in_view = 1
        and not exists (select 1 from agents where group_id = groups.id and agents.in_view = 1)
      returning id`.execute(db);
  return { agents: agents.rows.map(({ id }) => id), groups: groups.rows.map(({ id }) => id) };
}
