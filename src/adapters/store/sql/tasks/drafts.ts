import type { Selectable } from "kysely";
import type { ProcessId, PromptId, TaskId } from "../../../../domain/ids.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../../../domain/tasks/draft.ts";
import { anyId } from "../engine/any-id.ts";
import { jsonColumn } from "../engine/json-column.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { ProcessDraftTable, PromptDraftTable } from "../engine/task-tables.ts";

const STEPS = jsonColumn<readonly Step[]>();

export async function getPromptDraft(db: Db, id: string): Promise<PromptDraft | undefined> {
  const row = await db
    .selectFrom("prompt_drafts")
    .selectAll()
    .where("id", "=", anyId<PromptId>(id))
    .executeTakeFirst();
  return row && toPromptDraft(row);
}

export async function listPromptDrafts(db: Db, taskId: TaskId): Promise<readonly PromptDraft[]> {
  const rows = await db
    .selectFrom("prompt_drafts")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("version")
    .execute();
  return rows.map(toPromptDraft);
}

const selectProcessDraft = prepared(
  (db, id: string) =>
    db.selectFrom("process_drafts").selectAll().where("id", "=", anyId<ProcessId>(id)),
  (id) => [id],
);

export async function getProcessDraft(db: Db, id: string): Promise<ProcessDraft | undefined> {
  const [row] = (await selectProcessDraft(db, id)).rows;
  return row && toProcessDraft(row);
}

export async function listProcessDrafts(db: Db, taskId: TaskId): Promise<readonly ProcessDraft[]> {
  const rows = await db
    .selectFrom("process_drafts")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("version")
    .execute();
  return rows.map(toProcessDraft);
}

export async function insertPromptDraft(db: Db, draft: PromptDraft): Promise<void> {
  await db
    .insertInto("prompt_drafts")
    .values({
      id: draft.id,
      task_id: draft.taskId,
      version: draft.version,
      content: draft.content,
      agent_id: draft.agentId,
      created_at: draft.createdAt,
    })
    .execute();
}

export async function insertProcessDraft(db: Db, draft: ProcessDraft): Promise<void> {
  await db
    .insertInto("process_drafts")
    .values({
      id: draft.id,
      task_id: draft.taskId,
      prompt_id: draft.promptId,
      version: draft.version,
      steps: STEPS.write(draft.steps),
      agent_id: draft.agentId,
      created_at: draft.createdAt,
    })
    .execute();
}

function toPromptDraft(row: Selectable<PromptDraftTable>): PromptDraft {
  return {
    id: row.id,
    taskId: row.task_id,
    version: row.version,
    content: row.content,
    agentId: row.agent_id,
    createdAt: row.created_at,
  };
}

function toProcessDraft(row: Selectable<ProcessDraftTable>): ProcessDraft {
  return {
    id: row.id,
    taskId: row.task_id,
    promptId: row.prompt_id,
    version: row.version,
    steps: STEPS.read(row.steps),
    agentId: row.agent_id,
    createdAt: row.created_at,
  };
}
