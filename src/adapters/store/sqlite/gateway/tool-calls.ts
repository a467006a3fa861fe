import { type Insertable, type Selectable, sql } from "kysely";
import type { ToolCall } from "../../../../domain/gateway/tool-call.ts";
import type { ExecutionId, TaskId, ToolCallId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { ToolCallTable } from "../engine/task-tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

const selectRow = prepared(
  (db, id: string) =>
    db.selectFrom("tool_calls").selectAll().where("id", "=", anyId<ToolCallId>(id)),
  (id) => [id],
);

export async function getToolCall(db: Db, id: string): Promise<ToolCall | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toToolCall(row);
}

export async function listToolCalls(
  db: Db,
  executionId: ExecutionId,
): Promise<readonly ToolCall[]> {
  const rows = await db
    .selectFrom("tool_calls")
    .selectAll()
    .where("execution_id", "=", executionId)
    .orderBy("seq")
    .execute();
  return rows.map(toToolCall);
}

export async function listTaskToolCalls(db: Db, taskId: TaskId): Promise<readonly ToolCall[]> {
  const rows = await db
    .selectFrom("tool_calls")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("seq")
    .execute();
  return rows.map(toToolCall);
}

export async function listForwardedToolCalls(db: Db): Promise<readonly ToolCall[]> {
  const rows = await db
    .selectFrom("tool_calls")
    .selectAll()
    // A literal: a partial index is not used for a bound parameter.
    .where("status", "=", sql.lit("forwarded"))
    .orderBy("seq")
    .execute();
  return rows.map(toToolCall);
}

const insertRow = prepared(
  (db, row: ReturnType<typeof toRow>) => db.insertInto("tool_calls").values(row),
  (row) => Object.values(row),
);

export async function insertToolCall(db: Db, call: ToolCall): Promise<void> {
  await insertRow(db, toRow(call));
}

const updateRow = updateChanged("tool_calls");

export async function updateToolCall(
  db: Db,
  next: ToolCall,
  expected: ToolCall,
): Promise<ToolCall> {
  const call = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(call), expected.id, expected.version))) {
    throw versionConflict(`Tool call ${expected.id}`, expected.version);
  }
  return call;
}

function toRow(call: ToolCall): Insertable<ToolCallTable> {
  return {
    id: call.id,
    task_id: call.taskId,
    execution_id: call.executionId,
    agent_id: call.agentId,
    step_id: call.stepId,
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

function toToolCall(row: Selectable<ToolCallTable>): ToolCall {
  return {
    id: row.id,
    taskId: row.task_id,
    executionId: row.execution_id,
    agentId: row.agent_id,
    stepId: row.step_id,
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
