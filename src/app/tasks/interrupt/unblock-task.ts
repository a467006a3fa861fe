import { nextTaskStatus, type Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import { recordAudit } from "../../people/audit.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { insertExecution } from "../execution/insert-execution.ts";
import type { InterruptedBy } from "./block-task.ts";
import type { TaskChange } from "./interrupt-task.ts";

/**
 * Queues the next execution, which continues after the steps that are done. It starts once the
 * agents of the previous execution have stopped.
 */
export async function unblockTask(
  core: Core,
  unit: UnitOfWork,
  blocked: Task,
  { by, reason }: InterruptedBy,
): Promise<TaskChange> {
  // Throws a Refusal with a helpful hint before anything is inserted.
  nextTaskStatus(blocked.status, "unblocked");
  const task = await insertExecution(core, unit, blocked, "unblocked", {
    statusBy: by,
    statusReason: reason,
  });
  await recordAudit(core, unit, {
    actor: by,
    action: "task.unblocked",
    subject: task.id,
    data: { reason, executionId: task.executionId },
  });
  return { task, stopping: [], calls: [] };
}
