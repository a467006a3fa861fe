import { sql } from "kysely";
import type { AgentCall, AgentCallHead } from "../../../../domain/gateway/tool-call.ts";
import type { AgentId, ToolCallId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import { toAgentCall, toCallRow, updateCall } from "./call-rows.ts";

const selectRow = prepared(
  (db, id: string) =>
    db.selectFrom("agent_calls").selectAll().where("id", "=", anyId<ToolCallId>(id)),
  (id) => [id],
);

export async function getAgentCall(db: Db, id: string): Promise<AgentCall | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toAgentCall(row);
}

/** Only columns stored before `answer`: SQLite reads through a long value to reach later ones. */
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
    // A literal, because SQLite uses a partial index only with one.
    .where("status", "=", sql.lit("forwarded"))
    .orderBy("seq")
    .execute();
  return rows.map(toAgentCall);
}

export async function insertAgentCall(db: Db, call: AgentCall): Promise<void> {
  await db.insertInto("agent_calls").values(toCallRow(call)).execute();
}

export const updateAgentCall = updateCall("agent_calls", toCallRow);
