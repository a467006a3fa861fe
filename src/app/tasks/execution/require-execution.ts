import { Refusal } from "../../../domain/refusal.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import type { TaskQueries } from "../../ports/task-store.ts";

export async function requireExecution(
  queries: Pick<TaskQueries, "getExecution">,
  id: string,
): Promise<Execution> {
  const execution = await queries.getExecution(id);
  if (execution) return execution;
  throw new Refusal("EXECUTION_NOT_FOUND", {
    en: [`There is no execution ${id}.`, "GET /api/tasks/{id} lists the executions of a task."],
    ja: [`実行 ${id} はありません。`, "タスクの実行の一覧は GET /api/tasks/{id} で読めます。"],
  });
}
