import type {
  AgentId,
  ExecutionId,
  GroupId,
  ProcessId,
  PromptId,
  ScheduleId,
  TaskId,
} from "../ids.ts";
import { Refusal } from "../refusal.ts";
import { statusInJapanese } from "../status-words.ts";
import { nextState, type Transitions } from "../transition.ts";

export const TASK_STATUSES = [
  "analyzing",
  "planning",
  "awaiting_prompt_approval",
  "designing",
  "awaiting_process_approval",
  "in_progress",
  "blocked",
  "completed",
  "failed",
  "cancelled",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_EVENTS = [
  "analyzed",
  "prompt_drafted",
  "prompt_approved",
  "prompt_rejected",
  "process_drafted",
  "process_approved",
  "process_rejected",
  "stage_failed",
  "approval_expired",
  "execution_completed",
  "execution_failed",
  "blocked",
  "unblocked",
  "cancelled",
  "retried",
  "analysis_retried",
  "planning_retried",
  "design_retried",
  "prompt_asked_again",
  "process_asked_again",
] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

/**
 * From request to result. A rejection returns to the drafting stage with the next version; after
 * `tasks.maxRegenerations` rejections the caller sends `cancelled` instead. A blocked task stays
 * blocked, whatever its agents report. A retry continues a failed task where it failed.
 */
export const TASK_TRANSITIONS: Transitions<TaskStatus, TaskEvent> = {
  analyzing: { analyzed: "planning", stage_failed: "failed", cancelled: "cancelled" },
  planning: {
    prompt_drafted: "awaiting_prompt_approval",
    stage_failed: "failed",
    cancelled: "cancelled",
  },
  awaiting_prompt_approval: {
    prompt_approved: "designing",
    prompt_rejected: "planning",
    approval_expired: "failed",
    cancelled: "cancelled",
  },
  designing: {
    process_drafted: "awaiting_process_approval",
    stage_failed: "failed",
    cancelled: "cancelled",
  },
  awaiting_process_approval: {
    process_approved: "in_progress",
    process_rejected: "designing",
    approval_expired: "failed",
    cancelled: "cancelled",
  },
  in_progress: {
    execution_completed: "completed",
    execution_failed: "failed",
    blocked: "blocked",
    cancelled: "cancelled",
  },
  blocked: {
    unblocked: "in_progress",
    execution_completed: "blocked",
    execution_failed: "blocked",
    cancelled: "cancelled",
  },
  failed: {
    retried: "in_progress",
    analysis_retried: "analyzing",
    planning_retried: "planning",
    design_retried: "designing",
    prompt_asked_again: "awaiting_prompt_approval",
    process_asked_again: "awaiting_process_approval",
    cancelled: "cancelled",
  },
  completed: {},
  cancelled: {},
};

const ENDED: readonly TaskStatus[] = ["completed", "cancelled"];

export function nextTaskStatus(status: TaskStatus, event: TaskEvent): TaskStatus {
  if (event === "blocked" && status !== "in_progress") {
    throw new Refusal("TASK_NOT_IN_PROGRESS", {
      en: [
        `The task is ${status}; only a task in progress can be blocked.`,
        "Cancel it instead, or wait until it is in progress.",
      ],
      ja: [
        `タスクは${statusInJapanese(status)}です。ブロックできるのは進行中のタスクだけです。`,
        "代わりに中止するか、進行中になるまで待ってください。",
      ],
    });
  }
  if (event === "unblocked" && status !== "blocked") {
    throw new Refusal("TRANSITION_NOT_ALLOWED", {
      en: [
        `The task is ${status}; only a blocked task can be unblocked.`,
        "There is nothing to unblock.",
      ],
      ja: [
        `タスクは${statusInJapanese(status)}です。ブロックを解除できるのは、ブロックされたタスクだけです。`,
        "解除するものはありません。",
      ],
    });
  }
  if (event === "cancelled" && ENDED.includes(status)) {
    throw new Refusal("TRANSITION_NOT_ALLOWED", {
      en: [
        `The task is ${status}; only a task that has not ended can be cancelled.`,
        "There is nothing to cancel.",
      ],
      ja: [
        `タスクは${statusInJapanese(status)}です。中止できるのは、まだ終わっていないタスクだけです。`,
        "中止するものはありません。",
      ],
    });
  }
  return nextState(TASK_TRANSITIONS, { en: "The task", ja: "タスク" }, status, event);
}

export const TASK_PRIORITIES = ["low", "medium", "high"] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** The door through which the task was requested. */
export const TASK_DOORS = ["web", "mcp", "slack", "terminal"] as const;
export type TaskDoor = (typeof TASK_DOORS)[number];

/** Where a task failed, and so where a retry continues. */
export const TASK_STAGES = [
  "analysis",
  "planning",
  "design",
  "prompt_approval",
  "process_approval",
  "execution",
] as const;
export type TaskStage = (typeof TASK_STAGES)[number];

export const MAX_TASK_TYPE_CHARS = 30;

/** Work that a person has requested. */
export type Task = {
  readonly id: TaskId;
  /** The request, word for word. */
  readonly request: string;
  /** The id of a person. */
  readonly requester: string;
  readonly door: TaskDoor;
  /** The schedule that requested it; the schedule may have been removed since. */
  readonly scheduleId: ScheduleId | null;
  readonly status: TaskStatus;
  /** null until the analysis has finished. */
  readonly title: string | null;
  readonly description: string | null;
  readonly priority: TaskPriority;
  /** The requester chose the priority, so the analysis does not change it. */
  readonly isPriorityGiven: boolean;
  readonly type: string | null;
  readonly workingDirectory: string;
  /** Every agent of the task is in this group or in a group below it. */
  readonly groupId: GroupId;
  /** How many drafts people have rejected, prompts and processes together. */
  readonly regenerations: number;
  /** The current drafter; null until one has been started for the current stage. */
  readonly draftAgentId: AgentId | null;
  /** How many answers of the current draft were sent back. */
  readonly draftTries: number;
  /** The newest drafts. */
  readonly promptId: PromptId | null;
  readonly processId: ProcessId | null;
  readonly executionId: ExecutionId | null;
  readonly failure: { readonly stage: TaskStage; readonly message: string } | null;
  /** The person and the reason of the last block, unblock, cancel or retry. */
  readonly statusBy: string | null;
  readonly statusReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly version: number;
};

/** Completed or cancelled: the status never changes again. */
export function isFinal({ status }: Pick<Task, "status">): boolean {
  return ENDED.includes(status);
}

export function applyToTask(
  task: Task,
  event: TaskEvent,
  now: number,
  changes: Partial<Task> = {},
): Task {
  const status = nextTaskStatus(task.status, event);
  const isOver = status === "completed" || status === "cancelled" || status === "failed";
  return { ...task, ...changes, status, updatedAt: now, endedAt: isOver ? now : null };
}
