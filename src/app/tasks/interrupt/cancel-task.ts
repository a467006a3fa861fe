import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovals } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import type { InterruptedBy } from "./block-task.ts";
import { interruptTask, type TaskChange } from "./interrupt-task.ts";

/** Like a block, but final: drafting ends too, and all approvals of the task are closed. */
export async function cancelTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: InterruptedBy,
): Promise<TaskChange> {
  const change = await interruptTask(core, unit, task, { as: "cancelled", by, reason });
  await closeApprovals(core, unit, { taskId: task.id }, "cancelled");
  return change;
}
