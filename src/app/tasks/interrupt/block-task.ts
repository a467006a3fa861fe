import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovals } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { interruptTask, type TaskChange } from "./interrupt-task.ts";

export type By = { readonly by: string; readonly reason: string | null };

/** Nothing more is begun for the task; its agents get a notice to stop, and it can continue later. */
export async function blockTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: By,
): Promise<TaskChange> {
  const change = await interruptTask(core, unit, task, { as: "blocked", by, reason });
  if (task.executionId !== null) {
    // The next attempt asks again.
    await closeApprovals(core, unit, { executionId: task.executionId }, "cancelled");
  }
  return change;
}
