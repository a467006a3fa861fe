import { Refusal } from "../../../domain/refusal.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import type { TaskQueries } from "../../ports/task-store.ts";
import { requireExecution } from "./require-execution.ts";

/** A button on the card of an earlier execution must not stop or start the latest one. */
export async function requireNewestExecution(
  queries: Pick<TaskQueries, "getExecution" | "getTask">,
  id: string,
): Promise<Execution> {
  const execution = await requireExecution(queries, id);
  const task = await queries.getTask(execution.taskId);
  if (task?.executionId === execution.id) return execution;
  throw new Refusal("TRANSITION_NOT_ALLOWED", {
    en: [
      `Attempt ${execution.attempt} is over; the task has a newer one.`,
      `Use execution ${task?.executionId ?? "of the task"}.`,
    ],
    ja: [
      `試行 ${execution.attempt} は終わり、新しい試行があります。`,
      `実行 ${task?.executionId ?? "（タスクの最新のもの）"} を使ってください。`,
    ],
  });
}
