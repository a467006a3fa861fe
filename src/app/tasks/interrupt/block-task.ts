import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovals } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { interruptTask, type TaskChange } from "./interrupt-task.ts";

export type InterruptedBy = { readonly by: string; readonly reason: string | null };

/** Interrupts the task with a stop notification to each running agent; it can be unblocked later. */
export async function blockTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: InterruptedBy,
): Promise<TaskChange> {
  const change = await interruptTask(core, unit, task, { as: "blocked", by, reason });
  if (task.executionId !== null) {
    // The next execution requests these approvals again.
    await closeApprovals(core, unit, { executionId: task.executionId }, "cancelled");
  }
  return change;
}
