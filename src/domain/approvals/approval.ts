import type {
  AgentId,
  ApprovalId,
  ExecutionId,
  MergeId,
  ProcessId,
  PromptId,
  StepId,
  TaskId,
} from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";

export const APPROVAL_STATUSES = [
  "pending",
  "approved",
  "rejected",
  "superseded",
  "expired",
  "cancelled",
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const APPROVAL_EVENTS = [
  "approved",
  "rejected",
  "superseded",
  "expired",
  "extended",
  "cancelled",
] as const;
export type ApprovalEvent = (typeof APPROVAL_EVENTS)[number];

/** Exactly one decision takes effect: every status but `pending` is final. */
export const APPROVAL_TRANSITIONS: Transitions<ApprovalStatus, ApprovalEvent> = {
  pending: {
    approved: "approved",
    rejected: "rejected",
    superseded: "superseded",
    expired: "expired",
    extended: "pending",
    cancelled: "cancelled",
  },
  approved: {},
  rejected: {},
  superseded: {},
  expired: {},
  cancelled: {},
};

export function nextApprovalStatus(status: ApprovalStatus, event: ApprovalEvent): ApprovalStatus {
  return nextState(APPROVAL_TRANSITIONS, { en: "The approval", ja: "承認" }, status, event);
}

/**
 * What a person is asked. `call`: an agent without an execution wants to make a call that needs a
 * human check; `outcome`: a call was forwarded and its answer was lost: did it take effect? `merge`:
 * may this version of a change go into a branch?
 */
export const APPROVAL_KINDS = [
  "prompt",
  "process",
  "step",
  "unplanned_tool",
  "call",
  "question",
  "outcome",
  "merge",
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** People who may decide. `count`: that many must approve; one rejection is enough. */
export type ApprovalPolicy =
  | { readonly who: "anyone" | "requester" | "not-requester" }
  | { readonly who: "approvers"; readonly users: readonly string[] }
  | { readonly who: "quorum"; readonly count: number; readonly users: readonly string[] | null };

/** One person's vote. */
export type Vote = {
  readonly by: string;
  readonly decision: "approve" | "reject";
  readonly reason: string | null;
  readonly at: number;
};

/** What a person chose beyond approve and reject. */
export type DecisionChoice = {
  /**
   * For a step: this call only, or any arguments of this step. For a call: this call only, or any
   * arguments of this tool by this agent.
   */
  readonly scope: "once" | "any_arguments";
  /** For a rejected step: fail the execution, or continue without the step. */
  readonly onReject: "fail" | "skip";
  /** For a question: the answer. For an outcome: `done` or `repeat`. */
  readonly answer: string | null;
};

export type Approval = {
  readonly id: ApprovalId;
  readonly kind: ApprovalKind;
  readonly status: ApprovalStatus;
  readonly taskId: TaskId | null;
  readonly executionId: ExecutionId | null;
  readonly stepId: StepId | null;
  /**
   * The agent whose call waits; another executor may have replaced it by the time of the decision.
   */
  readonly agentId: AgentId | null;
  /** The draft to decide about. */
  readonly subjectId: PromptId | ProcessId | MergeId | null;
  /**
   * Hash of execution or agent, step, tool and canonical arguments: a repeated call finds its
   * approval by this.
   */
  readonly binding: string | null;
  readonly requester: string;
  readonly policy: ApprovalPolicy;
  readonly title: string;
  /** Exactly what people see, and its hash, which every decision names. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly shownHash: string;
  /** The choices of a question; empty: free text. */
  readonly choices: readonly string[];
  readonly votes: readonly Vote[];
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  readonly reason: string | null;
  readonly choice: DecisionChoice | null;
  /** An approval lets one call through, unless `any_arguments` was chosen. */
  readonly usedAt: number | null;
  readonly expiresAt: number | null;
  readonly remindAt: number | null;
  readonly createdAt: number;
  /**
   * The version that decisions name: incremented when the terms change (an extension), not by a
   * vote.
   */
  readonly version: number;
  /** Incremented by every write. */
  readonly revision: number;
};
