import type { Task } from "../../../domain/tasks/task.ts";
import { closeApprovalsIn } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { interruptTaskIn, type TaskChange } from "./interrupt-task.ts";

export type By = { readonly by: string; readonly reason: string | null };

/** From now on nothing is begun for the task; its agents are told, and it can go on later. */
export async function blockTaskIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { by, reason }: By,
): Promise<TaskChange> {
  const change = await interruptTaskIn(core, unit, task, { as: "blocked", by, reason });
  if (task.executionId === null) return change;
  // The next attempt asks for itself.
  const closed = await closeApprovalsIn(core, unit, { executionId: task.executionId }, "cancelled");
  return { ...change, events: [...change.events, ...closed] };
}
