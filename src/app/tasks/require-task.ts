import { Refusal } from "../../domain/refusal.ts";
import type { Task } from "../../domain/tasks/task.ts";
import type { TaskQueries } from "../ports/task-store.ts";

export async function requireTask(
  queries: Pick<TaskQueries, "getTask">,
  id: string,
): Promise<Task> {
  const task = await queries.getTask(id);
  if (task) return task;
  throw new Refusal("TASK_NOT_FOUND", {
    en: [
      `There is no task ${id}.`,
      "Use the taskId that create_task returned; `kuromajutsu tasks` lists all.",
    ],
    ja: [
      `タスク ${id} はありません。`,
      "create_task が返した taskId を使ってください。一覧は `kuromajutsu tasks` で見られます。",
    ],
  });
}
