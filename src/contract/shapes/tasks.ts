import { z } from "zod";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../domain/tasks/draft.ts";
import {
  TASK_DOORS,
  TASK_PRIORITIES,
  TASK_STAGES,
  TASK_STATUSES,
  type Task,
} from "../../domain/tasks/task.ts";
import { agentSummaryShape } from "./agents.ts";
import { approvalShape } from "./approvals.ts";
import { executionShape, toolCallShape } from "./executions.ts";
import { iso, isoOrNull } from "./iso.ts";
import { notificationShape } from "./notifications.ts";

/** A task in lists and live events. */
export const taskShape = z.object({
  taskId: z.string(),
  request: z.string(),
  requester: z.string(),
  door: z.enum(TASK_DOORS),
  scheduleId: z.string().optional().describe("The schedule that requested it, if one did"),
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
    ...(task.scheduleId !== null && { scheduleId: task.scheduleId }),
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

/** The status of a draft as its card shows it. */
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
