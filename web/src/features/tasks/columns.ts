import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";

export const COLUMNS = ["todo", "progress", "waiting", "blocked", "done"] as const;
export type Column = (typeof COLUMNS)[number];
export type TaskStatus = WireTask["status"];

/** Statuses each column loads. `waiting` also shows tasks in progress that wait for a person. */
export const STATUSES_OF: Record<Column, readonly TaskStatus[]> = {
  todo: ["analyzing", "planning", "designing"],
  progress: ["in_progress"],
  waiting: ["awaiting_prompt_approval", "awaiting_process_approval"],
  blocked: ["blocked"],
  done: ["completed", "failed", "cancelled"],
};

/** A task in progress whose execution waits for a person belongs to `waiting`. */
export function columnOf(
  { status, taskId }: WireTask,
  waiting: ReadonlyMap<string, unknown>,
): Column {
  switch (status) {
    case "analyzing":
    case "planning":
    case "designing":
      return "todo";
    case "awaiting_prompt_approval":
    case "awaiting_process_approval":
      return "waiting";
    case "in_progress":
      return waiting.has(taskId) ? "waiting" : "progress";
    case "blocked":
      return "blocked";
    case "completed":
    case "failed":
    case "cancelled":
      return "done";
  }
}

const known = new WeakMap<ReadonlyMap<string, WireApproval>, ReadonlyMap<string, WireApproval>>();

/** The oldest pending approval of each task; cached per state of the approvals. */
export function waitingTasks(
  approvals: ReadonlyMap<string, WireApproval>,
): ReadonlyMap<string, WireApproval> {
  const found = known.get(approvals);
  if (found) return found;
  const waiting = new Map<string, WireApproval>();
  for (const approval of approvals.values()) {
    if (approval.taskId === null) continue;
    const first = waiting.get(approval.taskId);
    if (!first || approval.createdAt < first.createdAt) waiting.set(approval.taskId, approval);
  }
  known.set(approvals, waiting);
  return waiting;
}

/** Status changes a person can make. */
export type Change = "block" | "unblock" | "cancel" | "retry";

export function changesOf({ status }: Pick<WireTask, "status">): readonly Change[] {
  switch (status) {
    case "in_progress":
      return ["block", "cancel"];
    case "blocked":
      return ["unblock", "cancel"];
    case "failed":
      return ["retry", "cancel"];
    case "completed":
    case "cancelled":
      return [];
    case "analyzing":
    case "planning":
    case "designing":
    case "awaiting_prompt_approval":
    case "awaiting_process_approval":
      return ["cancel"];
  }
}

/** The change that dropping a task of this status on a column makes, if any. */
export function dropOn(column: Column, status: TaskStatus): Change | undefined {
  if (column === "blocked" && status === "in_progress") return "block";
  if (column === "progress" && status === "blocked") return "unblock";
  if (column === "progress" && status === "failed") return "retry";
  return undefined;
}
