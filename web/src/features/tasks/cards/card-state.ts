import type { WireExecution } from "../../../../../src/contract/shapes/executions.ts";
import type { TaskDetail, WirePrompt } from "../../../api/task-detail.ts";

/** Visible states of a task's card. */
export type CardState =
  | "idle"
  | "generating"
  | "pending"
  | "approved"
  | "rejected"
  | "running"
  | "completed"
  | "failed"
  | "blocked"
  | "cancelled";

/** Colours of the cards in Slack, adapted to the theme. */
export const BAR_COLOUR: Record<CardState, string> = {
  idle: "var(--color-bar-none)",
  generating: "var(--color-bar-generating)",
  pending: "var(--color-bar-pending)",
  approved: "var(--color-bar-success)",
  rejected: "var(--color-bar-failed)",
  running: "var(--color-bar-running)",
  completed: "var(--color-bar-success)",
  failed: "var(--color-bar-failed)",
  blocked: "var(--color-bar-blocked)",
  cancelled: "var(--color-bar-cancelled)",
};

/** The status that gives the badge its colour and icon. */
export const BADGE_STATUS: Record<CardState, string> = {
  idle: "waiting",
  generating: "planning",
  pending: "pending",
  approved: "approved",
  rejected: "rejected",
  running: "running",
  completed: "completed",
  failed: "failed",
  blocked: "blocked",
  cancelled: "cancelled",
};

type Progress = Pick<TaskDetail, "status" | "title" | "failure">;

export function analysisState({ status, title, failure }: Progress): CardState {
  if (status === "analyzing") return "generating";
  if (failure?.stage === "analysis") return "failed";
  if (title !== null) return "completed";
  return status === "cancelled" ? "cancelled" : "idle";
}

const STAGES = {
  prompt: { drafting: "planning", failing: ["planning", "prompt_approval"] },
  process: { drafting: "designing", failing: ["design", "process_approval"] },
} as const;

export function draftState(
  task: Progress,
  kind: "prompt" | "process",
  newest: Pick<WirePrompt, "status"> | undefined,
): CardState {
  const { drafting, failing } = STAGES[kind];
  if (task.status === drafting) return "generating";
  if (task.status === "failed" && failing.some((stage) => stage === task.failure?.stage)) {
    return "failed";
  }
  switch (newest?.status) {
    case "pending_approval":
      return "pending";
    case "approved":
      return "approved";
    case "rejected":
      return task.status === "cancelled" ? "cancelled" : "rejected";
    case "expired":
      return "failed";
    case "superseded":
    case "cancelled":
      return "cancelled";
    case undefined:
      return task.status === "cancelled" ? "cancelled" : "idle";
  }
}

export function executionState(
  task: Progress,
  execution: Pick<WireExecution, "status" | "stopFor"> | undefined,
): CardState {
  switch (execution?.status) {
    case "queued":
      return "idle";
    case "running":
      return "running";
    case "waiting_for_human":
      return "pending";
    case "stopping":
      return execution.stopFor === "cancelled" ? "cancelled" : "blocked";
    case "completed":
    case "failed":
    case "blocked":
    case "cancelled":
      return execution.status;
    case undefined:
      return task.status === "cancelled" ? "cancelled" : "idle";
  }
}
