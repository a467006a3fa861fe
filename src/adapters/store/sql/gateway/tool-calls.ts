import { type Insertable, type Selectable, sql } from "kysely";
import type { ToolCall } from "../../../../domain/gateway/tool-call.ts";
import type { ExecutionId, TaskId, ToolCallId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { ToolCallTable } from "../engine/task-tables.ts";
import { toAgentCall, toCallRow, updateCall } from "./call-rows.ts";

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
    // A literal, because SQLite uses a partial index only with one.
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

export const updateToolCall = updateCall("tool_calls", toRow);

function toRow(call: ToolCall): Insertable<ToolCallTable> {
  return {
    ...toCallRow(call),
    task_id: call.taskId,
    execution_id: call.executionId,
    step_id: call.stepId,
  };
}

function toToolCall(row: Selectable<ToolCallTable>): ToolCall {
  return {
    ...toAgentCall(row),
    taskId: row.task_id,
    executionId: row.execution_id,
    stepId: row.step_id,
  };
}
