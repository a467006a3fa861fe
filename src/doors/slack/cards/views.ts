import type { ShownMerge } from "../../../contract/shown-merge.ts";
import type { AgentStatus } from "../../../domain/agents/agent.ts";
import type { ApprovalKind } from "../../../domain/approvals/approval.ts";
import type { GroupMode } from "../../../domain/groups/group.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { StepStatus } from "../../../domain/tasks/execution.ts";
import type { TaskPriority, TaskStatus } from "../../../domain/tasks/task.ts";
import type { PersonView } from "../text/mention.ts";

/**
 * What the cards show, as plain data that can be stored as JSON. Times are in milliseconds. Texts
 * are foreign and raw: the builders escape and truncate them. The `…Value` of a button is opaque
 * routing data of at most 2,000 characters; a handler checks everything again.
 */
export type CardView = {
  readonly locale: Locale;
  /** Where the dashboard shows the same; left out: no button. */
  readonly dashboardUrl?: string | undefined;
};

export type TaskCompleteView = CardView & {
  readonly title: string;
  readonly description: string;
  readonly priority: TaskPriority;
  readonly type: string;
  readonly taskId: string;
  readonly cancelValue?: string | undefined;
};

export type TaskFailedView = CardView & {
  readonly error: string;
  readonly taskId: string;
  readonly retryValue: string;
  readonly failedAt: number;
};

export type TaskCancelledView = CardView & {
  /** null until the analysis has finished. */
  readonly title: string | null;
  readonly taskId: string;
  readonly by: PersonView;
  readonly reason: string | null;
  readonly cancelledAt: number;
};

/** A step of a process. Two steps may name the same tool: the id tells them apart. */
export type StepLine = {
  readonly id: string;
  readonly order: number;
  readonly title: string;
  readonly tool: string;
  readonly requiresHumanCheck: boolean;
};

export type PromptBody = { readonly content: string };
export type ProcessBody = { readonly steps: readonly StepLine[] };

/** What people need to know before they decide. */
export type DecisionTerms = {
  /** Left out or empty: the card does not say who may decide. */
  readonly approvers?: readonly PersonView[] | undefined;
  /** Set if several people must approve. */
  readonly votes?: { readonly given: number; readonly needed: number } | undefined;
  readonly expiresAt?: number | undefined;
};

export type DraftPendingView = CardView &
  DecisionTerms & {
    readonly taskId: string;
    readonly version: number;
    /** The value of both buttons. */
    readonly decisionValue: string;
    readonly cancelValue?: string | undefined;
  };

export type DraftApprovedView = CardView & {
  readonly by: PersonView;
  readonly approvedAt: number;
};

export type DraftRegeneratingView = CardView & {
  readonly by: PersonView;
  readonly reason: string;
};

export type DraftRejectedView = DraftRegeneratingView & {
  readonly nextVersion: number;
  /** The next version could not be drafted. */
  readonly isFailed?: boolean;
};

/** The draft was rejected, and no regeneration is left. */
export type DraftCancelledView = CardView & {
  readonly rejection?: DraftRegeneratingView | undefined;
};

export type DraftFailedView = CardView & {
  readonly error: string;
  readonly taskId: string;
  readonly retryValue: string;
  readonly failedAt: number;
};

export type DraftExpiredView = CardView & {
  readonly taskId: string;
  readonly version: number;
  readonly expiredAt: number;
  readonly retryValue?: string | undefined;
};

/** The approval was closed without a decision, because the task was cancelled. */
export type DraftWithdrawnView = CardView & {
  readonly by: PersonView;
  readonly withdrawnAt: number;
};

export type StepProgress = StepLine & { readonly status: StepStatus };

export type ExecutionView = CardView & { readonly steps: readonly StepProgress[] };

export type ExecutionRunningView = ExecutionView & {
  readonly cancelValue: string;
  readonly blockValue?: string | undefined;
};

/** The execution waits for people; the first asks are shown with their buttons. */
export type ExecutionWaitingView = ExecutionRunningView & { readonly asks: readonly AskView[] };

export type ExecutionStoppingView = ExecutionView & {
  readonly stopFor: "blocked" | "cancelled";
  readonly by: PersonView;
  readonly reason: string | null;
  readonly requestedAt: number;
};

export type ExecutionBlockedView = ExecutionView & {
  readonly by: PersonView;
  readonly reason: string | null;
  readonly blockedAt: number;
  readonly unblockValue: string;
  readonly cancelValue?: string | undefined;
};

export type ExecutionCompletedView = ExecutionView & {
  readonly summary: string;
  readonly elapsedMs: number;
  readonly completedAt: number;
};

export type ExecutionFailedView = ExecutionView & {
  readonly error: string;
  readonly elapsedMs: number;
  readonly failedAt: number;
  readonly retryValue: string;
};

export type ExecutionCancelledView = ExecutionView & {
  readonly by: PersonView;
  readonly cancelledAt: number;
};

type Ask = CardView &
  DecisionTerms & {
    readonly decisionValue: string;
    /** The agent that waits; null if it is not known. */
    readonly agent: string | null;
    readonly taskId: string | null;
  };

/** A human check of one call. */
export type CallAskView = Ask & {
  readonly kind: "step" | "unplanned_tool" | "call";
  readonly tool: string;
  /** The exact arguments as JSON. */
  readonly args: string;
  readonly step: { readonly order: number; readonly title: string } | null;
  /** Where the whole of long arguments is. */
  readonly fullTextIn: "snippet" | "dashboard";
};

export type QuestionAskView = Ask & {
  readonly kind: "question";
  readonly question: string;
  /** Empty: free text. */
  readonly choices: readonly string[];
};

/** A call was forwarded and its answer was lost. */
export type OutcomeAskView = Ask & {
  readonly kind: "outcome";
  readonly tool: string;
  readonly args: string;
  readonly error: string | null;
  readonly forwardedAt: number;
  readonly fullTextIn: "snippet" | "dashboard";
};

/** A version of a change that is to go into a branch. */
export type MergeAskView = Ask & {
  readonly kind: "merge";
  readonly merge: ShownMerge;
};

export type AskView = CallAskView | QuestionAskView | OutcomeAskView | MergeAskView;

export type AskDecidedView = CardView & {
  readonly ask: AskView;
  readonly decision: "approved" | "rejected" | "expired" | "cancelled";
  /** null if no person decided. */
  readonly by: PersonView | null;
  readonly decidedAt: number;
  readonly reason: string | null;
  /** The answer of a question; `done` or `repeat` for an outcome. */
  readonly answer: string | null;
};

export type AgentLine = {
  readonly id: string;
  readonly role: string;
  readonly status: AgentStatus;
  /** Its last message, its summary or why it failed. */
  readonly note: string;
};

/** One board for all agents of a group. */
export type GroupView = CardView & {
  readonly groupId: string;
  readonly description: string;
  readonly mode: GroupMode;
  readonly agents: readonly AgentLine[];
  readonly stage?: { readonly current: number; readonly total: number } | undefined;
  readonly iteration?: { readonly current: number; readonly max: number } | undefined;
};

export type GroupRunningView = GroupView & { readonly stopValue?: string | undefined };
/** `by`: if it is known who stopped the group. */
export type GroupStoppingView = GroupView & { readonly by?: PersonView | undefined };
export type GroupEndedView = GroupView & { readonly elapsedMs: number; readonly endedAt: number };

export type HomeApproval = {
  readonly kind: ApprovalKind;
  readonly title: string;
  readonly askedAt: number;
  /** The card in Slack, or the page of the dashboard. */
  readonly url?: string | undefined;
};

export type HomeTask = {
  readonly taskId: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly updatedAt: number;
  readonly progress?: { readonly done: number; readonly total: number } | undefined;
  readonly url?: string | undefined;
};

export type HomeData = CardView & {
  readonly approvals: readonly HomeApproval[];
  readonly running: readonly HomeTask[];
  readonly recent: readonly HomeTask[];
};

/** Every state of every card, with what it shows. */
export type CardViews = {
  taskGenerating: CardView;
  taskComplete: TaskCompleteView;
  taskFailed: TaskFailedView;
  taskCancelled: TaskCancelledView;
  promptGenerating: CardView;
  promptPending: DraftPendingView & PromptBody;
  promptApproved: DraftApprovedView & PromptBody;
  promptRejected: DraftRejectedView & PromptBody;
  promptRegenerating: DraftRegeneratingView & PromptBody;
  promptCancelled: DraftCancelledView;
  promptFailed: DraftFailedView;
  promptExpired: DraftExpiredView & PromptBody;
  promptWithdrawn: DraftWithdrawnView & PromptBody;
  processGenerating: CardView;
  processPending: DraftPendingView & ProcessBody;
  processApproved: DraftApprovedView & ProcessBody;
  processRejected: DraftRejectedView & ProcessBody;
  processRegenerating: DraftRegeneratingView & ProcessBody;
  processCancelled: DraftCancelledView;
  processFailed: DraftFailedView;
  processExpired: DraftExpiredView & ProcessBody;
  processWithdrawn: DraftWithdrawnView & ProcessBody;
  executionRunning: ExecutionRunningView;
  executionWaiting: ExecutionWaitingView;
  executionStopping: ExecutionStoppingView;
  executionBlocked: ExecutionBlockedView;
  executionCompleted: ExecutionCompletedView;
  executionFailed: ExecutionFailedView;
  executionCancelled: ExecutionCancelledView;
  askPending: AskView;
  askDecided: AskDecidedView;
  groupRunning: GroupRunningView;
  groupStopping: GroupStoppingView;
  groupEnded: GroupEndedView;
};
export type CardName = keyof CardViews;
