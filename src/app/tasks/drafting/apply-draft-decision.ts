import type { Approval } from "../../../domain/approvals/approval.ts";
import type { Task, TaskEvent } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { insertExecution } from "../execution/insert-execution.ts";
import { moveTask } from "../move-task.ts";

/** The effect on the task when its prompt or process was approved, rejected or has expired. */
export async function applyDraftDecision(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
): Promise<void> {
  const kind = approval.kind === "process" ? PROCESS : PROMPT;
  const task = approval.taskId === null ? undefined : await unit.getTask(approval.taskId);
  // No effect if the task has moved on or has a newer draft.
  if (!task || task.status !== kind.awaits || kind.subjectOf(task) !== approval.subjectId) return;

  switch (approval.status) {
    case "approved":
      return approve(core, unit, task, kind);
    case "rejected":
      return reject(core, unit, task, kind, approval);
    case "expired": {
      const failure = { stage: kind.stage, message: "Nobody decided in time." } as const;
      return move(core, unit, task, "approval_expired", { failure });
    }
    case "pending":
    case "superseded":
    case "cancelled":
      return;
  }
}

const PROMPT = {
  awaits: "awaiting_prompt_approval",
  stage: "prompt_approval",
  approved: "prompt_approved",
  rejected: "prompt_rejected",
  subjectOf: ({ promptId }: Task) => promptId,
} as const;

const PROCESS = {
  awaits: "awaiting_process_approval",
  stage: "process_approval",
  approved: "process_approved",
  rejected: "process_rejected",
  subjectOf: ({ processId }: Task) => processId,
} as const;

type Kind = typeof PROMPT | typeof PROCESS;

const NO_DRAFTER = { draftAgentId: null, draftTries: 0 } as const;

async function approve(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { approved }: Kind,
): Promise<void> {
  if (approved === "prompt_approved") return move(core, unit, task, approved, NO_DRAFTER);
  await insertExecution(core, unit, task, approved);
}

/** Starts the next version, or cancels the task at the limit of rejections. */
function reject(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { rejected }: Kind,
  { decidedBy }: Approval,
): Promise<void> {
  const regenerations = task.regenerations + 1;
  const { maxRegenerations } = core.settings.tasks;
  if (regenerations <= maxRegenerations) {
    return move(core, unit, task, rejected, { ...NO_DRAFTER, regenerations });
  }
  return move(core, unit, task, "cancelled", {
    regenerations,
    statusBy: decidedBy,
    statusReason: `Rejected ${regenerations} times; tasks.maxRegenerations is ${maxRegenerations}.`,
  });
}

async function move(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  event: TaskEvent,
  changes: Partial<Task>,
): Promise<void> {
  await moveTask(core, unit, task, event, changes);
}
