import type { Insertable, Selectable } from "kysely";
import type { AgentId, ExecutionId, TaskId } from "../../../../domain/ids.ts";
import type { Execution, StepState } from "../../../../domain/tasks/execution.ts";
import { anyId } from "../engine/any-id.ts";
import { jsonColumn } from "../engine/json-column.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { ExecutionTable } from "../engine/task-tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

const AGENT_IDS = jsonColumn<readonly AgentId[]>();
const STEPS = jsonColumn<readonly StepState[]>();

const selectRow = prepared(
  (db, id: string) =>
    db.selectFrom("executions").selectAll().where("id", "=", anyId<ExecutionId>(id)),
  (id) => [id],
);

export async function getExecution(db: Db, id: string): Promise<Execution | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toExecution(row);
}

export async function listExecutions(db: Db, taskId: TaskId): Promise<readonly Execution[]> {
  const rows = await db
    .selectFrom("executions")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("attempt")
    .execute();
  return rows.map(toExecution);
}

export async function insertExecution(db: Db, execution: Execution): Promise<void> {
  await db.insertInto("executions").values(toRow(execution)).execute();
}

const updateRow = updateChanged("executions");

export async function updateExecution(
  db: Db,
  next: Execution,
  expected: Execution,
): Promise<Execution> {
  const execution = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(execution), expected.id, expected.version))) {
    throw versionConflict("Execution", expected);
  }
  return execution;
}

function toRow(execution: Execution): Insertable<ExecutionTable> {
  return {
    id: execution.id,
    task_id: execution.taskId,
    process_id: execution.processId,
    attempt: execution.attempt,
    status: execution.status,
    agent_id: execution.agentId,
    agent_ids: AGENT_IDS.write(execution.agentIds),
    steps: STEPS.write(execution.steps),
    named_step_id: execution.namedStepId,
    stop_for: execution.stopFor,
    summary: execution.summary,
    response: execution.response,
    error: execution.error,
    created_at: execution.createdAt,
    started_at: execution.startedAt,
    ended_at: execution.endedAt,
    version: execution.version,
  };
}

function toExecution(row: Selectable<ExecutionTable>): Execution {
  return {
    id: row.id,
    taskId: row.task_id,
    processId: row.process_id,
    attempt: row.attempt,
    status: row.status,
    agentId: row.agent_id,
    agentIds: AGENT_IDS.read(row.agent_ids),
    steps: STEPS.read(row.steps),
    namedStepId: row.named_step_id,
    stopFor: row.stop_for,
    summary: row.summary,
    response: row.response,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    version: row.version,
  };
}
