import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovals } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import type { By } from "./block-task.ts";
import { interruptTask, type TaskChange } from "./interrupt-task.ts";

/** Like a block, but final: drafting ends too, and all its approvals are closed.  */
export async function cancelTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: By,
): Promise<TaskChange> {
  const change = await interruptTask(core, unit, task, { as: "cancelled", by, reason });
  await closeApprovals(core, unit, { taskId: task.id }, "cancelled");
  return change;
}
