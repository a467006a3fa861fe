import type { Approval } from "../../../domain/approvals/approval.ts";
import type { Task, TaskEvent } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { insertExecutionIn } from "../execution/insert-execution.ts";
import { moveTaskIn } from "../move-task.ts";

/** A prompt or a process was approved, rejected or has expired: the task moves on in the same transaction. */
export async function applyDraftDecisionIn(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
): Promise<StoredEvent[]> {
  const kind = approval.kind === "process" ? PROCESS : PROMPT;
  const task = approval.taskId === null ? undefined : await unit.getTask(approval.taskId);
  // The task went another way, or has a newer draft: this answer is about nothing any more.
  if (!task || task.status !== kind.awaits || kind.subjectOf(task) !== approval.subjectId)
    return [];

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
      return [];
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

/** What is drafted next is drafted from the start. */
const UNDRAFTED = { draftAgentId: null, draftTries: 0 } as const;

async function approve(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { approved }: Kind,
): Promise<StoredEvent[]> {
  if (approved === "prompt_approved") return move(core, unit, task, approved, UNDRAFTED);
  return (await insertExecutionIn(core, unit, task, approved)).events;
}

/** The next version is drafted, unless people have had enough of them. */
function reject(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  { rejected }: Kind,
  { decidedBy }: Approval,
): Promise<StoredEvent[]> {
  const regenerations = task.regenerations + 1;
  const { maxRegenerations } = core.settings.tasks;
  if (regenerations <= maxRegenerations) {
    return move(core, unit, task, rejected, { ...UNDRAFTED, regenerations });
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
): Promise<StoredEvent[]> {
  return [(await moveTaskIn(core, unit, task, event, changes)).event];
}
