import type { AgentId, ApprovalId, GroupId, MergeId, TaskId, WorkspaceId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";
import { REF_ROOT } from "../workspaces/workspace.ts";
import type { MergeProblem } from "./merge-problem.ts";

export const MERGE_MODES = ["squash", "merge", "rebase"] as const;
export type MergeMode = (typeof MERGE_MODES)[number];

export const MERGE_STATUSES = [
  "awaiting_approval",
  "queued",
  "checking",
  "ready_to_land",
  "landed",
  "conflicted",
  "check_failed",
  "rejected",
  "cancelled",
  "undone",
] as const;
export type MergeStatus = (typeof MERGE_STATUSES)[number];

export const MERGE_EVENTS = [
  "approved",
  "rejected",
  "check_started",
  "requeued",
  "conflicted",
  "check_failed",
  "held_back",
  "landed",
  "retried",
  "cancelled",
  "undone",
] as const;
export type MergeEvent = (typeof MERGE_EVENTS)[number];

/**
 * One change on its way into a branch. `ready_to_land`: it is approved and checked, but a person has
 * the branch checked out with work in the way. `requeued`: the branch moved or the daemon restarted.
 */
export const MERGE_TRANSITIONS: Transitions<MergeStatus, MergeEvent> = {
  awaiting_approval: { approved: "queued", rejected: "rejected", cancelled: "cancelled" },
  queued: {
    check_started: "checking",
    conflicted: "conflicted",
    check_failed: "check_failed",
    held_back: "ready_to_land",
    landed: "landed",
    requeued: "queued",
    cancelled: "cancelled",
  },
  checking: {
    check_started: "checking",
    requeued: "queued",
    conflicted: "conflicted",
    check_failed: "check_failed",
    held_back: "ready_to_land",
    landed: "landed",
    cancelled: "cancelled",
  },
  ready_to_land: { retried: "queued", landed: "landed", cancelled: "cancelled" },
  conflicted: { retried: "queued", cancelled: "cancelled" },
  check_failed: { retried: "queued", cancelled: "cancelled" },
  landed: { undone: "undone" },
  rejected: {},
  cancelled: {},
  undone: {},
};

/** The merge needs nothing more from people or from the queue. */
export function isMergeOver({ status }: Pick<Merge, "status">): boolean {
  return Object.keys(MERGE_TRANSITIONS[status]).length === 0 || status === "landed";
}

export type Merge = {
  readonly id: MergeId;
  readonly workspaceId: WorkspaceId;
  readonly agentId: AgentId;
  readonly groupId: GroupId;
  readonly taskId: TaskId | null;
  readonly repository: string;
  /** The version of the change that people approve; a newer one cancels the merge. */
  readonly version: number;
  /** The commit of that version, and the commit it began from. */
  readonly change: string;
  readonly base: string;
  /** The branch, without `refs/heads/`. */
  readonly target: string;
  readonly mode: MergeMode;
  readonly message: string;
  readonly status: MergeStatus;
  readonly approvalId: ApprovalId | null;
  readonly requester: string;
  /** Whether to fast-forward a checkout in which a person has the branch. */
  readonly intoCheckout: boolean;
  /** The intent of landing: the branch moves from `from` to `result`. Written before git is asked. */
  readonly from: string | null;
  readonly result: string | null;
  /** The last check: its exit code, and the end of its output. */
  readonly checkExit: number | null;
  readonly checkOutput: string | null;
  /** The server that carries it out, because the one that leads has not got the change; null: that one. */
  readonly serverId: string | null;
  /** Why it is conflicted, failed, held back or waits longer; `mergeProblemText` has the sentence. */
  readonly problem: MergeProblem | null;
  /** Files that git could not merge. */
  readonly conflicts: readonly string[];
  readonly createdAt: number;
  readonly queuedAt: number | null;
  readonly endedAt: number | null;
  /** Incremented by every write. */
  readonly revision: number;
};

/** Keeps the commit that a person is asked to land by hand. */
export function mergeRef(id: MergeId): string {
  return `${REF_ROOT}/merge/${id}`;
}

/** Git was asked to move the branch: the merge cannot be taken back until the answer is known. */
export function isLanding({ status, result }: Pick<Merge, "status" | "result">): boolean {
  return result !== null && (status === "queued" || status === "checking");
}

export function applyToMerge(merge: Merge, event: MergeEvent, changes: Partial<Merge> = {}): Merge {
  return {
    ...merge,
    ...changes,
    status: nextState(
      MERGE_TRANSITIONS,
      { en: `Merge ${merge.id}`, ja: `取り込み ${merge.id} ` },
      merge.status,
      event,
    ),
  };
}
