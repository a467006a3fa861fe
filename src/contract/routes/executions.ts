import { z } from "zod";
import type { RouteContract } from "../route-contract.ts";
import { executionShape, toolCallShape } from "../shapes/executions.ts";
import { taskShape } from "../shapes/tasks.ts";
import { ONLY_ID } from "./inputs.ts";

const reason = z.strictObject({ reason: z.string().trim().max(2_000).optional() }).optional();

export const getExecution = {
  ...ONLY_ID,
  method: "get",
  path: "/api/executions/{id}",
  summary: "One execution with its steps and its tool calls.",
  answer: executionShape.extend({ toolCalls: z.array(toolCallShape) }),
} as const satisfies RouteContract;

export const cancelExecution = {
  ...ONLY_ID,
  method: "post",
  path: "/api/executions/{id}/cancel",
  summary: "Cancel the task that an execution belongs to.",
  body: reason,
  answer: z.object({ task: taskShape, stopping: z.array(z.string()) }),
} as const satisfies RouteContract;

export const retryExecution = {
  ...ONLY_ID,
  method: "post",
  path: "/api/executions/{id}/retry",
  summary: "Start the next attempt of a failed execution; finished steps are not repeated.",
  body: reason,
  answer: taskShape,
} as const satisfies RouteContract;
