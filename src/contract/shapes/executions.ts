import { z } from "zod";
import { TOOL_CALL_STATUSES, type ToolCall } from "../../domain/gateway/tool-call.ts";
import {
  EXECUTION_STATUSES,
  STEP_STATUSES,
  type Execution,
  type StepState,
} from "../../domain/tasks/execution.ts";
import { iso, isoOrNull } from "./iso.ts";

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
