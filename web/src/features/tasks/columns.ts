import type { WireApproval, WireTask } from "../../../../src/contract/task-shapes.ts";

export const COLUMNS = ["todo", "progress", "waiting", "blocked", "done"] as const;
export type Column = (typeof COLUMNS)[number];
export type TaskStatus = WireTask["status"];

/** What each column asks the daemon for. `waiting` also takes from what is in progress. */
export const STATUSES_OF: Record<Column, readonly TaskStatus[]> = {
  todo: ["analyzing", "planning", "designing"],
  progress: ["in_progress"],
  waiting: ["awaiting_prompt_approval", "awaiting_process_approval"],
  blocked: ["blocked"],
  done: ["completed", "failed", "cancelled"],
};

/** A task whose execution waits for a person is waiting, whatever its status says. */
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

/** The oldest thing each task waits for; worked out once for each state of the approvals. */
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

/** What people can do to a task; everything else happens by itself. */
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

/** What dropping a task of this status on a column means; undefined: nothing. */
export function dropOn(column: Column, status: TaskStatus): Change | undefined {
  if (column === "blocked" && status === "in_progress") return "block";
  if (column === "progress" && status === "blocked") return "unblock";
  if (column === "progress" && status === "failed") return "retry";
  return undefined;
}
