import { type Selectable, sql } from "kysely";
import type { GroupId, TaskId } from "../../../../domain/ids.ts";
import type { Task, TaskStatus } from "../../../../domain/tasks/task.ts";
import { anyId } from "../engine/any-id.ts";
import { isPostgres, tableBy } from "../engine/dialect.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { TaskTable } from "../engine/task-tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import { toTask, toTaskRow } from "./task-row.ts";

const selectRow = prepared(
  (db, id: string) => db.selectFrom("tasks").selectAll().where("id", "=", anyId<TaskId>(id)),
  (id) => [id],
);

export async function getTask(db: Db, id: string): Promise<Task | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toTask(row);
}

export async function getTaskOfGroup(db: Db, groupId: GroupId): Promise<Task | undefined> {
  const row = await db
    .selectFrom("tasks")
    .selectAll()
    .where("group_id", "=", groupId)
    .executeTakeFirst();
  return row && toTask(row);
}

/** SQLite adds up what its triggers counted; PostgreSQL counts, so that no writer waits for a sum. */
export async function countTasks(db: Db): Promise<Readonly<Record<TaskStatus, number>>> {
  const rows = await countByStatus(db);
  const counts: Record<TaskStatus, number> = {
    analyzing: 0,
    planning: 0,
    awaiting_prompt_approval: 0,
    designing: 0,
    awaiting_process_approval: 0,
    in_progress: 0,
    blocked: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const { status, n } of rows) counts[status] = n;
  return counts;
}

async function countByStatus(
  db: Db,
): Promise<readonly { readonly status: TaskStatus; readonly n: number }[]> {
  if (!isPostgres(db)) return db.selectFrom("task_counts").select(["status", "n"]).execute();
  return db
    .selectFrom("tasks")
    .select(["status", (select) => select.fn.countAll<number>().as("n")])
    .groupBy("status")
    .execute();
}

/** A cancelled or failed task is not finished while an agent of one of its executions may still act. */
export async function listUnfinishedTasks(db: Db): Promise<readonly Task[]> {
  const { rows } = await sql<Selectable<TaskTable>>`
    select * from tasks
      where id in (
        select id from ${tableBy(db, "tasks", "tasks_unfinished")}
          where status not in ('completed', 'failed', 'cancelled')
        union all
        select task_id from ${tableBy(db, "executions", "executions_open")}
          where status not in ('completed', 'failed', 'blocked', 'cancelled'))
      order by created_at, seq`.execute(db);
  return rows.map(toTask);
}

export async function insertTask(db: Db, task: Task): Promise<void> {
  await db.insertInto("tasks").values(toTaskRow(task)).execute();
}

const updateRow = updateChanged("tasks");

export async function updateTask(db: Db, next: Task, expected: Task): Promise<Task> {
  const task = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toTaskRow(task), expected.id, expected.version))) {
    throw versionConflict("Task", expected);
  }
  return task;
}
