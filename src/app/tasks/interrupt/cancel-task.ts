import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovalsIn } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import type { By } from "./block-task.ts";
import { interruptTaskIn, type TaskChange } from "./interrupt-task.ts";

/** Like a block, for good: nobody drafts for it or is asked about it any more. */
export async function cancelTaskIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: By,
): Promise<TaskChange> {
  const change = await interruptTaskIn(core, unit, task, { as: "cancelled", by, reason });
  const closed = await closeApprovalsIn(core, unit, { taskId: task.id }, "cancelled");
  return { ...change, events: [...change.events, ...closed] };
}
