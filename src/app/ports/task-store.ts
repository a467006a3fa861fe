import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval, ApprovalKind, ApprovalStatus } from "../../domain/approvals/approval.ts";
import type {
  AgentCall,
  AgentCallHead,
  Delivery,
  ToolCall,
} from "../../domain/gateway/tool-call.ts";
import type { AgentId, ExecutionId, GroupId, TaskId, ToolCallId } from "../../domain/ids.ts";
import type { Notification } from "../../domain/notifications/notification.ts";
import type { AuditEntry, NewAudit } from "../../domain/people/audit.ts";
import type { ProcessDraft, PromptDraft } from "../../domain/tasks/draft.ts";
import type { Execution } from "../../domain/tasks/execution.ts";
import type { Task, TaskStatus } from "../../domain/tasks/task.ts";
import type { RecordedEvent } from "./store.ts";

export type TaskQuery = {
  readonly statuses?: readonly TaskStatus[];
  /**
   * Part of the request, the title or the id, case-insensitive. One page searches a few thousand
   * tasks at most: it may have fewer rows than the limit and still have a next cursor.
   */
  readonly text?: string;
  /** The id of a person. */
  readonly requester?: string;
  readonly limit: number;
  readonly cursor?: string;
};
export type TaskPage = { readonly tasks: readonly Task[]; readonly nextCursor: string | null };

export type ApprovalQuery = {
  readonly statuses?: readonly ApprovalStatus[];
  readonly kind?: ApprovalKind;
  readonly taskId?: string;
  readonly executionId?: string;
  /** The agent that requested it. */
  readonly agentId?: string;
  readonly limit: number;
  readonly cursor?: string;
};
export type ApprovalPage = {
  readonly approvals: readonly Approval[];
  readonly nextCursor: string | null;
};

export type AuditQuery = {
  readonly subject?: string;
  readonly actor?: string;
  readonly limit: number;
  readonly cursor?: string;
};
export type AuditPage = {
  readonly entries: readonly AuditEntry[];
  readonly nextCursor: string | null;
};

/** The definition of an upstream tool that people have accepted, by its hash. */
export type ToolPin = {
  readonly server: string;
  readonly tool: string;
  readonly hash: string;
  /** The hashed definition, to show what has changed. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** `system` for the first definition of a tool. */
  readonly acceptedBy: string;
  readonly at: number;
};

export type SignIn = {
  /** sha256 of the cookie's secret. */
  readonly hash: string;
  readonly personId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A request with an idempotency key, which the client may repeat. */
export type IdempotencyRecord = {
  /** sha256 of the client's identity and the key. */
  readonly key: string;
  /** sha256 of the request. */
  readonly request: string;
  /** null until it is known. After a crash in between, the request may be partly done. */
  readonly answer: { readonly status: number; readonly body: string } | null;
  readonly at: number;
};

/** Queries about tasks. The cost of each does not depend on the length of the history. */
export type TaskQueries = {
  getTask(id: string): Promise<Task | undefined>;
  /** The task that this group belongs to. */
  getTaskOfGroup(groupId: GroupId): Promise<Task | undefined>;
  /** Newest first. */
  listTasks(query: TaskQuery): Promise<TaskPage>;
  countTasks(): Promise<Readonly<Record<TaskStatus, number>>>;
  /** Tasks that have not ended, or whose execution is not over. Oldest first. */
  listUnfinishedTasks(): Promise<readonly Task[]>;
  getPromptDraft(id: string): Promise<PromptDraft | undefined>;
  /** By version. */
  listPromptDrafts(taskId: TaskId): Promise<readonly PromptDraft[]>;
  getProcessDraft(id: string): Promise<ProcessDraft | undefined>;
  listProcessDrafts(taskId: TaskId): Promise<readonly ProcessDraft[]>;
  getExecution(id: string): Promise<Execution | undefined>;
  /** By attempt. */
  listExecutions(taskId: TaskId): Promise<readonly Execution[]>;
  getApproval(id: string): Promise<Approval | undefined>;
  /** Oldest first if only `pending` approvals are requested, otherwise newest first. */
  listApprovals(query: ApprovalQuery): Promise<ApprovalPage>;
  /**
   * Pending approvals for one screen: first of tasks, then of agents without a task. Each part takes
   * one per agent in turn, oldest first, so that no agent can crowd out the others.
   */
  listOpenApprovals(limit: number): Promise<readonly Approval[]>;
  countPendingApprovals(): Promise<number>;
  /** Newest first. */
  listApprovalsByBinding(binding: string): Promise<readonly Approval[]>;
  /** Pending approvals whose reminder or expiry is at or before `now`. */
  listDueApprovals(now: number, limit: number): Promise<readonly Approval[]>;
  /** When the next reminder or expiry is due; undefined: none is. */
  nextApprovalDue(): Promise<number | undefined>;
  getToolCall(id: string): Promise<ToolCall | undefined>;
  /** In the order they were forwarded. */
  listToolCalls(executionId: ExecutionId): Promise<readonly ToolCall[]>;
  /** Calls of all executions of a task, in order. */
  listTaskToolCalls(taskId: TaskId): Promise<readonly ToolCall[]>;
  /** `forwarded`: after a restart their answers are lost. */
  listForwardedToolCalls(): Promise<readonly ToolCall[]>;
  /** Checked calls of agents that work on no execution. */
  getAgentCall(id: string): Promise<AgentCall | undefined>;
  /** In the order they were forwarded. */
  listAgentCalls(agentId: AgentId): Promise<readonly AgentCallHead[]>;
  listForwardedAgentCalls(): Promise<readonly AgentCall[]>;
  /** Every agent of a task, oldest first. */
  listTaskAgents(taskId: TaskId): Promise<readonly Agent[]>;
  listUnsettledTaskAgents(taskId: TaskId): Promise<readonly Agent[]>;
  /** Stop notifications of an agent that are not cleared, read or unread. */
  listStopNotifications(agentId: AgentId): Promise<readonly Notification[]>;
  listAllStopNotifications(): Promise<readonly Notification[]>;
  listTaskNotifications(taskId: TaskId): Promise<readonly Notification[]>;
  /** What happened to a task, oldest first. */
  listTaskEvents(
    taskId: TaskId,
    afterSeq: number,
    limit: number,
  ): Promise<readonly RecordedEvent[]>;
  listToolPins(): Promise<readonly ToolPin[]>;
  /** Newest first. */
  listAudit(query: AuditQuery): Promise<AuditPage>;
  countAudit(): Promise<number>;
  /** Oldest first, for checking the chain. */
  listAuditAfter(seq: number, limit: number): Promise<readonly AuditEntry[]>;
  getSignIn(hash: string): Promise<SignIn | undefined>;
  getIdempotencyRecord(key: string): Promise<IdempotencyRecord | undefined>;
};

/** Writes. `update…` refuses with VERSION_CONFLICT unless the row has the expected version. */
export type TaskChanges = {
  insertTask(task: Task): Promise<void>;
  updateTask(next: Task, expected: Task): Promise<Task>;
  insertPromptDraft(draft: PromptDraft): Promise<void>;
  insertProcessDraft(draft: ProcessDraft): Promise<void>;
  insertExecution(execution: Execution): Promise<void>;
  updateExecution(next: Execution, expected: Execution): Promise<Execution>;
  insertApproval(approval: Approval): Promise<void>;
  /** Uses `revision` for optimistic locking; `version` is written as given. */
  updateApproval(next: Approval, expected: Approval): Promise<Approval>;
  insertToolCall(call: ToolCall): Promise<void>;
  updateToolCall(next: ToolCall, expected: ToolCall): Promise<ToolCall>;
  insertAgentCall(call: AgentCall): Promise<void>;
  updateAgentCall(next: AgentCall, expected: AgentCall): Promise<AgentCall>;
  /** Says whether the answer reached the agent; one that has reached it stays so. */
  markToolCallDelivery(id: ToolCallId, delivery: Delivery): Promise<void>;
  markAgentCallDelivery(id: ToolCallId, delivery: Delivery): Promise<void>;
  putToolPin(pin: ToolPin): Promise<void>;
  /**
   * Appends the row to the hash chain: number, hash of the previous row, own hash. It can be read
   * after the commit.
   */
  appendAudit(entry: NewAudit): Promise<void>;
  insertSignIn(signIn: SignIn): Promise<void>;
  deleteSignIn(hash: string): Promise<void>;
  deleteSignInsExpiredAt(now: number): Promise<void>;
  /** Replaces the record with the same key, if any. */
  /**
   * False if the key is there already, and not older than `expired`. Waits for a transaction that has
   * inserted it and has not ended.
   */
  insertIdempotencyRecord(request: IdempotencyRecord, expired: number): Promise<boolean>;
  putIdempotencyRecord(request: IdempotencyRecord): Promise<void>;
  deleteIdempotencyRecord(key: string): Promise<void>;
  deleteIdempotencyRecordsBefore(at: number): Promise<void>;
};
