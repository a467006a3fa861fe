import type {
  AgentId,
  ApprovalId,
  ExecutionId,
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

/** One decision, one winner: everything but `pending` is final. */
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
  return nextState(APPROVAL_TRANSITIONS, "The approval", status, event);
}

/**
 * What is asked. `call`: an agent without an execution wants to make a call that is checked;
 * `outcome`: a call was forwarded and its answer was lost; did it take effect?
 */
export const APPROVAL_KINDS = [
  "prompt",
  "process",
  "step",
  "unplanned_tool",
  "call",
  "question",
  "outcome",
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Who may decide. `count`: so many different people must say yes; one no is enough. */
export type ApprovalPolicy =
  | { readonly who: "anyone" | "requester" | "not-requester" }
  | { readonly who: "approvers"; readonly users: readonly string[] }
  | { readonly who: "quorum"; readonly count: number; readonly users: readonly string[] | null };

/** One person's word. */
export type Vote = {
  readonly by: string;
  readonly decision: "approve" | "reject";
  readonly reason: string | null;
  readonly at: number;
};

/** What a person chose beyond yes and no. */
export type DecisionChoice = {
  /** Step: this call only, or any arguments of this step. Call: of this tool, for this agent. */
  readonly scope: "once" | "any_arguments";
  /** Step, rejected: fail the execution, or go on without it. */
  readonly onReject: "fail" | "skip";
  /** Question: the answer. Outcome: `done` or `repeat`. */
  readonly answer: string | null;
};

export type Approval = {
  readonly id: ApprovalId;
  readonly kind: ApprovalKind;
  readonly status: ApprovalStatus;
  readonly taskId: TaskId | null;
  readonly executionId: ExecutionId | null;
  readonly stepId: StepId | null;
  /** The agent whose call waits; it may be another one by the time of the decision. */
  readonly agentId: AgentId | null;
  /** The draft it is about. */
  readonly subjectId: PromptId | ProcessId | null;
  /** Execution or agent, step, tool and canonical arguments, hashed: a repeated call finds it by this. */
  readonly binding: string | null;
  readonly requester: string;
  readonly policy: ApprovalPolicy;
  readonly title: string;
  /** Exactly what people are shown, and its hash, which every decision names. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly shownHash: string;
  /** Question with choices; empty: free text. */
  readonly choices: readonly string[];
  readonly votes: readonly Vote[];
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  readonly reason: string | null;
  readonly choice: DecisionChoice | null;
  /** An approved call is let through once, unless `any_arguments` was chosen. */
  readonly usedAt: number | null;
  readonly expiresAt: number | null;
  readonly remindAt: number | null;
  readonly createdAt: number;
  /** What deciders name: grows when the terms change (an extension), not with a vote. */
  readonly version: number;
  /** Grows with every write. */
  readonly revision: number;
};
