import { type Insertable, type Selectable, sql } from "kysely";
import type { AgentCall, AgentCallHead } from "../../../../domain/gateway/tool-call.ts";
import type { AgentId, ToolCallId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { AgentCallTable } from "../engine/task-tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

const selectRow = prepared(
  (db, id: string) =>
    db.selectFrom("agent_calls").selectAll().where("id", "=", anyId<ToolCallId>(id)),
  (id) => [id],
);

export async function getAgentCall(db: Db, id: string): Promise<AgentCall | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toAgentCall(row);
}

/** Only columns that are stored before `answer`: SQLite walks through a long value to those after it. */
const selectOfAgent = prepared(
  (db, agentId: AgentId) =>
    db
      .selectFrom("agent_calls")
      .select(["id", "server", "tool", "args_hash", "status", "approval_id"])
      .where("agent_id", "=", agentId)
      .orderBy("seq"),
  (agentId) => [agentId],
);

export async function listAgentCalls(db: Db, agentId: AgentId): Promise<readonly AgentCallHead[]> {
  return (await selectOfAgent(db, agentId)).rows.map((row) => ({
    id: row.id,
    server: row.server,
    tool: row.tool,
    argsHash: row.args_hash,
    status: row.status,
    approvalId: row.approval_id,
  }));
}

export async function listForwardedAgentCalls(db: Db): Promise<readonly AgentCall[]> {
  const rows = await db
    .selectFrom("agent_calls")
    .selectAll()
    // A literal: a partial index is not used for a bound parameter.
    .where("status", "=", sql.lit("forwarded"))
    .orderBy("seq")
    .execute();
  return rows.map(toAgentCall);
}

export async function insertAgentCall(db: Db, call: AgentCall): Promise<void> {
  await db.insertInto("agent_calls").values(toRow(call)).execute();
}

const updateRow = updateChanged("agent_calls");

export async function updateAgentCall(
  db: Db,
  next: AgentCall,
  expected: AgentCall,
): Promise<AgentCall> {
  const call = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(call), expected.id, expected.version))) {
    throw versionConflict(`Tool call ${expected.id}`, expected.version);
  }
  return call;
}

function toRow(call: AgentCall): Insertable<AgentCallTable> {
  return {
    id: call.id,
    agent_id: call.agentId,
    server: call.server,
    tool: call.tool,
    args: call.args,
    args_hash: call.argsHash,
    status: call.status,
    approval_id: call.approvalId,
    answer: call.answer,
    error: call.error,
    started_at: call.startedAt,
    ended_at: call.endedAt,
    version: call.version,
  };
}

function toAgentCall(row: Selectable<AgentCallTable>): AgentCall {
  return {
    id: row.id,
    agentId: row.agent_id,
    server: row.server,
    tool: row.tool,
    args: row.args,
    argsHash: row.args_hash,
    status: row.status,
    approvalId: row.approval_id,
    answer: row.answer,
    error: row.error,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    version: row.version,
  };
}
