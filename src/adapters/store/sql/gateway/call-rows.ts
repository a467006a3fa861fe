import type { Insertable, Selectable } from "kysely";
import type { AgentCall, Delivery } from "../../../../domain/gateway/tool-call.ts";
import type { ToolCallId } from "../../../../domain/ids.ts";
import type { Db } from "../engine/tables.ts";
import type { AgentCallTable } from "../engine/task-tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

/** The columns that `agent_calls` and `tool_calls` have in common. */
export function toCallRow(call: AgentCall): Insertable<AgentCallTable> {
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
    sent_by: call.sentBy,
    delivery: call.delivery,
    handed_to: call.handedTo,
  };
}

export function toAgentCall(row: Selectable<AgentCallTable>): AgentCall {
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
    sentBy: row.sent_by,
    delivery: row.delivery,
    handedTo: row.handed_to,
  };
}

export function updateCall<Call extends AgentCall>(
  table: "agent_calls" | "tool_calls",
  toRow: (call: Call) => Readonly<Record<string, unknown>>,
) {
  const updateRow = updateChanged(table);
  return async (db: Db, next: Call, expected: Call): Promise<Call> => {
    const call = { ...next, version: expected.version + 1 };
    if (!(await updateRow(db, toRow(call), expected.id, expected.version))) {
      throw versionConflict("Tool call", expected);
    }
    return call;
  };
}

/** Without a new version: nothing is decided by the mark of a call that is under way. */
export async function markDelivery(
  db: Db,
  table: "agent_calls" | "tool_calls",
  id: ToolCallId,
  delivery: Delivery,
): Promise<void> {
  await db
    .updateTable(table)
    .set({ delivery })
    .where("id", "=", id)
    // A repeat may have delivered the answer of a call whose own connection was cut.
    .where((where) => where.or([where("delivery", "is", null), where("delivery", "=", "cut")]))
    .execute();
}
