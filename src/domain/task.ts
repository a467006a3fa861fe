import { Refusal } from "./refusal.ts";
import { nextState, type Transitions } from "./transition.ts";

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
  "execution_completed",
  "execution_failed",
  "blocked",
  "unblocked",
  "cancelled",
  "retried",
] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

/**
 * From request to result. A rejection goes back to the drafting stage with the next version; when
 * `tasks.maxRegenerations` is used up the caller sends `cancelled` instead. A blocked task stays
 * blocked whatever its agents still say.
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
  failed: { retried: "in_progress" },
  completed: {},
  cancelled: {},
};

export function nextTaskStatus(status: TaskStatus, event: TaskEvent): TaskStatus {
  if (event === "blocked" && status !== "in_progress") {
    throw new Refusal(
      "TASK_NOT_IN_PROGRESS",
      `The task is ${status}; only a task in progress can be blocked.`,
      "Cancel it instead, or wait until it is in progress.",
    );
  }
  return nextState(TASK_TRANSITIONS, "The task", status, event);
}
