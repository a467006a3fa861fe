import { nextTaskStatus, type Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import { auditIn } from "../../people/audit.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { insertExecutionIn } from "../execution/insert-execution.ts";
import type { By } from "./block-task.ts";
import type { TaskChange } from "./interrupt-task.ts";

/**
 * The next attempt, from what was done so far. Who was told to stop still stops: it waits until
 * the attempt before is over.
 */
export async function unblockTaskIn(
  core: Core,
  unit: UnitOfWork,
  blocked: Task,
  { by, reason }: By,
): Promise<TaskChange> {
  // Refused before anything is inserted, with what applies instead.
  nextTaskStatus(blocked.status, "unblocked");
  const { task, events } = await insertExecutionIn(core, unit, blocked, "unblocked", {
    statusBy: by,
    statusReason: reason,
  });
  await auditIn(core, unit, {
    actor: by,
    action: "task.unblocked",
    subject: task.id,
    data: { reason, executionId: task.executionId },
  });
  return { task, events, stopping: [], calls: [], notices: [], stopped: [] };
}
