import type { Core } from "../core.ts";
import type { TaskPage, TaskQuery } from "../ports/task-store.ts";

/** Newest first. */
export function listTasks(core: Pick<Core, "store">, query: TaskQuery): Promise<TaskPage> {
  return core.store.listTasks(query);
}
