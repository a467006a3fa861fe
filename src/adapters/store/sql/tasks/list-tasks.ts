import type { TaskPage, TaskQuery } from "../../../../app/ports/task-store.ts";
import { TASK_STATUSES } from "../../../../domain/tasks/task.ts";
import { fromCursor, pageOf, type Position, toCursor } from "../engine/cursor.ts";
import { contains } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import { searchText, toTask } from "./task-row.ts";

/** How many tasks one page of a search looks at. */
const SEARCHED = 5_000;

/**
 * Newest first. A search reads tasks in that order until its page is full, at most `SEARCHED`: a
 * page may have fewer rows than the limit, or none, and still have a next cursor.
 */
export async function listTasks(db: Db, query: TaskQuery): Promise<TaskPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const end = query.text === undefined ? null : await endOfSearch(db, after);
  const rows = await selectRows(db, query, after, end);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.created_at);
  return { tasks: page.map(toTask), nextCursor: nextCursor ?? (end && toCursor(end)) };
}

/** The last task that the search may read; null: there are fewer tasks than the limit. */
async function endOfSearch(db: Db, after: Position | null): Promise<Position | null> {
  const places = db.selectFrom("tasks").select(["created_at as at", "seq"]);
  const last = await (
    after === null
      ? places
      : places.where((task) =>
          task(task.refTuple("created_at", "seq"), "<", task.tuple(after.at, after.seq)),
        )
  )
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .offset(SEARCHED - 1)
    .limit(1)
    .executeTakeFirst();
  return last ?? null;
}

/** One select per status, merged: each walks its own index in order and stops early. */
async function selectRows(db: Db, query: TaskQuery, after: Position | null, end: Position | null) {
  const tasks = selectTasks(db, query, after, end);
  if (!query.statuses) return newestFirst(tasks, query.limit).execute();
  const [first, ...others] = TASK_STATUSES.filter((it) => query.statuses?.includes(it)).map(
    (status) => tasks.where("status", "=", status),
  );
  if (!first) return [];
  const merged = others.reduce((all, one) => all.unionAll(one), first);
  return newestFirst(merged, query.limit).execute();
}

function newestFirst(rows: ReturnType<typeof selectTasks>, limit: number) {
  return rows
    .orderBy("created_at", "desc")
    .orderBy("seq", "desc")
    .limit(limit + 1);
}

function selectTasks(
  db: Db,
  { text, requester }: TaskQuery,
  after: Position | null,
  end: Position | null,
) {
  let tasks = db.selectFrom("tasks").selectAll();
  if (after !== null) {
    tasks = tasks.where((task) =>
      task(task.refTuple("created_at", "seq"), "<", task.tuple(after.at, after.seq)),
    );
  }
  if (end !== null) {
    tasks = tasks.where((task) =>
      task(task.refTuple("created_at", "seq"), ">=", task.tuple(end.at, end.seq)),
    );
  }
  if (requester !== undefined) tasks = tasks.where("requester", "=", requester);
  if (text === undefined) return tasks;
  return tasks.where(contains(db, "search", searchText(text)));
}
