import type { Insertable, Selectable } from "kysely";
import type { Task } from "../../../../domain/tasks/task.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { TaskTable } from "../engine/task-tables.ts";

const FAILURE = jsonColumn<NonNullable<Task["failure"]>>();

export function toTaskRow(task: Task): Insertable<TaskTable> {
  return {
    id: task.id,
    request: task.request,
    requester: task.requester,
    door: task.door,
    schedule_id: task.scheduleId,
    status: task.status,
    title: task.title,
    description: task.description,
    priority: task.priority,
    is_priority_given: task.isPriorityGiven ? 1 : 0,
    type: task.type,
    working_directory: task.workingDirectory,
    group_id: task.groupId,
    regenerations: task.regenerations,
    draft_agent_id: task.draftAgentId,
    draft_tries: task.draftTries,
    prompt_id: task.promptId,
    process_id: task.processId,
    execution_id: task.executionId,
    failure: task.failure && FAILURE.write(task.failure),
    status_by: task.statusBy,
    status_reason: task.statusReason,
    search: searchText([task.id, task.title ?? "", task.request].join("\n")),
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    ended_at: task.endedAt,
    version: task.version,
  };
}

export function toTask(row: Selectable<TaskTable>): Task {
  return {
    id: row.id,
    request: row.request,
    requester: row.requester,
    door: row.door,
    scheduleId: row.schedule_id,
    status: row.status,
    title: row.title,
    description: row.description,
    priority: row.priority,
    isPriorityGiven: row.is_priority_given === 1,
    type: row.type,
    workingDirectory: row.working_directory,
    groupId: row.group_id,
    regenerations: row.regenerations,
    draftAgentId: row.draft_agent_id,
    draftTries: row.draft_tries,
    promptId: row.prompt_id,
    processId: row.process_id,
    executionId: row.execution_id,
    failure: row.failure === null ? null : FAILURE.read(row.failure),
    statusBy: row.status_by,
    statusReason: row.status_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
    version: row.version,
  };
}

/** Normalizes both the stored text and the search text. */
export function searchText(text: string): string {
  return text.toLowerCase();
}
