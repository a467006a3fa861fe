import { z } from "zod";
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalPolicy,
} from "../../domain/approvals/approval.ts";
import { TOOL_CALL_STATUSES, type ToolCall } from "../../domain/gateway/tool-call.ts";
import {
  CLEAR_REASONS,
  NOTIFICATION_STATUSES,
  NOTIFICATION_TYPES,
  type Notification,
} from "../../domain/notifications/notification.ts";
import type { AuditEntry } from "../../domain/people/audit.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../domain/tasks/draft.ts";
import {
  EXECUTION_STATUSES,
  STEP_STATUSES,
  type Execution,
  type StepState,
} from "../../domain/tasks/execution.ts";
import {
  TASK_DOORS,
  TASK_PRIORITIES,
  TASK_STAGES,
  TASK_STATUSES,
  type Task,
} from "../../domain/tasks/task.ts";
import { agentSummaryShape } from "./agents.ts";
import { iso, isoOrNull } from "./iso.ts";

/** A task as lists and live events show it. */
export const taskShape = z.object({
  taskId: z.string(),
  request: z.string(),
  requester: z.string(),
  door: z.enum(TASK_DOORS),
  status: z.enum(TASK_STATUSES),
  title: z.string().nullable(),
  description: z.string().nullable(),
  priority: z.enum(TASK_PRIORITIES),
  type: z.string().nullable(),
  workingDirectory: z.string(),
  groupId: z.string(),
  promptId: z.string().nullable(),
  processId: z.string().nullable(),
  executionId: z.string().nullable(),
  regenerations: z.number(),
  failure: z.object({ stage: z.enum(TASK_STAGES), message: z.string() }).nullable(),
  statusBy: z.string().nullable(),
  statusReason: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
  version: z.number(),
});
export type WireTask = z.infer<typeof taskShape>;

export function wireTask(task: Task): WireTask {
  return {
    taskId: task.id,
    request: task.request,
    requester: task.requester,
    door: task.door,
    status: task.status,
    title: task.title,
    description: task.description,
    priority: task.priority,
    type: task.type,
    workingDirectory: task.workingDirectory,
    groupId: task.groupId,
    promptId: task.promptId,
    processId: task.processId,
    executionId: task.executionId,
    regenerations: task.regenerations,
    failure: task.failure,
    statusBy: task.statusBy,
    statusReason: task.statusReason,
    createdAt: iso(task.createdAt),
    updatedAt: iso(task.updatedAt),
    endedAt: isoOrNull(task.endedAt),
    version: task.version,
  };
}

const policyShape = z.union([
  z.object({ who: z.enum(["anyone", "requester", "not-requester"]) }),
  z.object({ who: z.literal("approvers"), users: z.array(z.string()) }),
  z.object({
    who: z.literal("quorum"),
    count: z.number(),
    users: z.array(z.string()).nullable(),
  }),
]);

export const approvalShape = z.object({
  approvalId: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  status: z.enum(APPROVAL_STATUSES),
  version: z.number().describe("To be sent with the decision"),
  taskId: z.string().nullable(),
  executionId: z.string().nullable(),
  stepId: z.string().nullable(),
  agentId: z.string().nullable(),
  subjectId: z.string().nullable(),
  requester: z.string(),
  policy: policyShape,
  title: z.string(),
  shown: z.record(z.string(), z.unknown()).describe("Exactly what is to be decided on"),
  shownHash: z.string(),
  choices: z.array(z.string()),
  votes: z.array(
    z.object({
      by: z.string(),
      decision: z.enum(["approve", "reject"]),
      reason: z.string().nullable(),
      at: z.string(),
    }),
  ),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  reason: z.string().nullable(),
  answer: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  clipped: z
    .literal(true)
    .optional()
    .describe("Only the beginning is here: read GET /api/approvals/{id} before you decide"),
});
export type WireApproval = z.infer<typeof approvalShape>;

export function wireApproval(approval: Approval): WireApproval {
  return {
    approvalId: approval.id,
    kind: approval.kind,
    status: approval.status,
    version: approval.version,
    taskId: approval.taskId,
    executionId: approval.executionId,
    stepId: approval.stepId,
    agentId: approval.agentId,
    subjectId: approval.subjectId,
    requester: approval.requester,
    policy: wirePolicy(approval.policy),
    title: approval.title,
    shown: approval.shown,
    shownHash: approval.shownHash,
    choices: [...approval.choices],
    votes: approval.votes.map((vote) => ({ ...vote, at: iso(vote.at) })),
    decidedBy: approval.decidedBy,
    decidedAt: isoOrNull(approval.decidedAt),
    reason: approval.reason,
    answer: approval.choice?.answer ?? null,
    createdAt: iso(approval.createdAt),
    expiresAt: isoOrNull(approval.expiresAt),
  };
}

export function wirePolicy(policy: ApprovalPolicy): z.infer<typeof policyShape> {
  switch (policy.who) {
    case "approvers":
      return { who: policy.who, users: [...policy.users] };
    case "quorum":
      return { ...policy, users: policy.users && [...policy.users] };
    case "anyone":
    case "requester":
    case "not-requester":
      return { who: policy.who };
  }
}

/** What became of a draft, as its card shows it (seed, sections 4 and 5). */
const DRAFT_STATUSES = [
  "pending_approval",
  "approved",
  "rejected",
  "superseded",
  "expired",
  "cancelled",
] as const;

const draftFields = {
  version: z.number(),
  status: z.enum(DRAFT_STATUSES),
  approvalId: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  reason: z.string().nullable(),
  agentId: z.string().nullable(),
  createdAt: z.string(),
};

export const promptShape = z.object({
  promptId: z.string(),
  content: z.string(),
  ...draftFields,
});
export const stepShape = z.object({
  stepId: z.string(),
  order: z.number(),
  title: z.string(),
  server: z.string().nullable(),
  tool: z.string(),
  requiresHumanCheck: z.boolean(),
});
export const processShape = z.object({
  processId: z.string(),
  promptId: z.string(),
  steps: z.array(stepShape),
  ...draftFields,
});

function draftState(draft: PromptDraft | ProcessDraft, approval: Approval | undefined) {
  return {
    version: draft.version,
    status: approval ? draftStatus(approval.status) : ("superseded" as const),
    approvalId: approval?.id ?? null,
    decidedBy: approval?.decidedBy ?? null,
    decidedAt: isoOrNull(approval?.decidedAt ?? null),
    reason: approval?.reason ?? null,
    agentId: draft.agentId,
    createdAt: iso(draft.createdAt),
  };
}

function draftStatus(status: Approval["status"]): (typeof DRAFT_STATUSES)[number] {
  return status === "pending" ? "pending_approval" : status;
}

export function wirePrompt(draft: PromptDraft, approval: Approval | undefined) {
  return { promptId: draft.id, content: draft.content, ...draftState(draft, approval) };
}

export function wireProcess(draft: ProcessDraft, approval: Approval | undefined) {
  return {
    processId: draft.id,
    promptId: draft.promptId,
    steps: draft.steps.map(wireStep),
    ...draftState(draft, approval),
  };
}

export function wireStep(step: Step): z.infer<typeof stepShape> {
  const { id, order, title, server, tool, requiresHumanCheck } = step;
  return { stepId: id, order, title, server, tool, requiresHumanCheck };
}

export const stepStateShape = z.object({
  stepId: z.string(),
  status: z.enum(STEP_STATUSES),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  elapsed_ms: z.number(),
  calls: z.number(),
  error: z.string().nullable(),
  note: z.string().nullable(),
});

export const executionShape = z.object({
  executionId: z.string(),
  taskId: z.string(),
  processId: z.string(),
  attempt: z.number(),
  status: z.enum(EXECUTION_STATUSES),
  agentId: z.string().nullable(),
  agentIds: z.array(z.string()),
  steps: z.array(stepStateShape),
  stopFor: z.enum(["blocked", "cancelled"]).nullable(),
  summary: z.string().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  elapsed_ms: z.number(),
  version: z.number(),
});
export type WireExecution = z.infer<typeof executionShape>;

export function wireExecution(execution: Execution, now: number): WireExecution {
  const { startedAt, endedAt } = execution;
  return {
    executionId: execution.id,
    taskId: execution.taskId,
    processId: execution.processId,
    attempt: execution.attempt,
    status: execution.status,
    agentId: execution.agentId,
    agentIds: [...execution.agentIds],
    steps: execution.steps.map((step) => wireStepState(step, now)),
    stopFor: execution.stopFor,
    summary: execution.summary,
    response: execution.response,
    error: execution.error,
    createdAt: iso(execution.createdAt),
    startedAt: isoOrNull(startedAt),
    endedAt: isoOrNull(endedAt),
    elapsed_ms: elapsed(startedAt, endedAt, now),
    version: execution.version,
  };
}

function wireStepState(step: StepState, now: number): z.infer<typeof stepStateShape> {
  return {
    stepId: step.stepId,
    status: step.status,
    startedAt: isoOrNull(step.startedAt),
    endedAt: isoOrNull(step.endedAt),
    elapsed_ms: elapsed(step.startedAt, step.endedAt, now),
    calls: step.calls,
    error: step.error,
    note: step.note,
  };
}

function elapsed(from: number | null, to: number | null, now: number): number {
  return from === null ? 0 : Math.max(0, (to ?? now) - from);
}

export const toolCallShape = z.object({
  callId: z.string(),
  executionId: z.string(),
  agentId: z.string(),
  stepId: z.string().nullable(),
  server: z.string(),
  tool: z.string(),
  args: z.string().describe("JSON"),
  status: z.enum(TOOL_CALL_STATUSES),
  approvalId: z.string().nullable(),
  error: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});

export function wireToolCall(call: Omit<ToolCall, "answer">): z.infer<typeof toolCallShape> {
  return {
    callId: call.id,
    executionId: call.executionId,
    agentId: call.agentId,
    stepId: call.stepId,
    server: call.server,
    tool: call.tool,
    args: call.args,
    status: call.status,
    approvalId: call.approvalId,
    error: call.error,
    startedAt: iso(call.startedAt),
    endedAt: isoOrNull(call.endedAt),
  };
}

export const notificationShape = z.object({
  notificationId: z.string(),
  agentId: z.string(),
  taskId: z.string().nullable(),
  type: z.enum(NOTIFICATION_TYPES),
  status: z.enum(NOTIFICATION_STATUSES),
  text: z.string(),
  from: z.string(),
  createdAt: z.string(),
  announcedAt: z.string().nullable(),
  readAt: z.string().nullable(),
  clearReason: z.enum(CLEAR_REASONS).nullable(),
});

export type WireNotification = z.infer<typeof notificationShape>;

export function wireNotification(notice: Notification): z.infer<typeof notificationShape> {
  return {
    notificationId: notice.id,
    agentId: notice.agentId,
    taskId: notice.taskId,
    type: notice.type,
    status: notice.status,
    text: notice.text,
    from: notice.from,
    createdAt: iso(notice.createdAt),
    announcedAt: isoOrNull(notice.announcedAt),
    readAt: isoOrNull(notice.readAt),
    clearReason: notice.clearReason,
  };
}

export const auditShape = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  data: z.record(z.string(), z.unknown()),
  hash: z.string(),
  prevHash: z.string(),
});

export type WireAudit = z.infer<typeof auditShape>;

export function wireAudit(entry: AuditEntry): z.infer<typeof auditShape> {
  return { ...entry, at: iso(entry.at) };
}

/** Everything that the task page shows. */
export const taskDetailShape = taskShape.extend({
  prompts: z.array(promptShape).describe("By version"),
  processes: z.array(processShape).describe("By version"),
  executions: z.array(executionShape).describe("By attempt"),
  approvals: z.array(approvalShape).describe("Newest first"),
  notifications: z.array(notificationShape),
  agents: z.array(agentSummaryShape.omit({ toolCallCount: true })),
  toolCalls: z.array(toolCallShape).describe("Calls of upstream tools, oldest first"),
});
export type WireTaskDetail = z.infer<typeof taskDetailShape>;
