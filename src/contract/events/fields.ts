import { z } from "zod";
import { RUNNER_IDS } from "../../domain/agents/runner.ts";
import { approvalShape } from "../shapes/approvals.ts";
import { executionShape, stepStateShape, toolCallShape } from "../shapes/executions.ts";
import { runnerCheckShape } from "../shapes/health.ts";
import { notificationShape } from "../shapes/notifications.ts";
import { taskShape } from "../shapes/tasks.ts";

export const text = z.string();
export const count = z.number();

export const task = taskShape.pick({
  taskId: true,
  status: true,
  title: true,
  priority: true,
  type: true,
  requester: true,
  executionId: true,
  failure: true,
  version: true,
}).shape;
export const execution = {
  ...executionShape.pick({ taskId: true, executionId: true, attempt: true, status: true }).shape,
  agentId: text.nullable(),
  steps: z.array(
    stepStateShape.omit({ elapsed_ms: true }).extend({ mayRepeat: z.boolean().optional() }),
  ),
};
export const call = { callId: text, server: text, tool: text, status: toolCallShape.shape.status };
export const approval = {
  ...approvalShape.pick({
    approvalId: true,
    kind: true,
    taskId: true,
    executionId: true,
    stepId: true,
    status: true,
    title: true,
    version: true,
  }).shape,
  pending: count.describe("How many approvals wait after this"),
};
export const notification = {
  notificationId: text,
  agentId: text,
  taskId: text.nullable(),
  type: notificationShape.shape.type,
  from: text,
};
export const checkedRole = { roleId: text, runner: z.enum(RUNNER_IDS), model: text };
/** A check with the caller's own keys is no event: it says nothing about other agents. */
export const checkedRunner = runnerCheckShape.omit({ clientKeys: true }).shape;
export const error = text.nullable();
