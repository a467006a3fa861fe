import { z } from "zod";
import { AGENT_STATUSES } from "../../domain/agents/agent.ts";
import { NOTIFICATION_STATUSES } from "../../domain/notifications/notification.ts";
import { ACCESS_MODES } from "../config/defaults.ts";
import type { RouteContract } from "../route-contract.ts";
import { agentCardShape, resultShape, retriesShape, usageShape } from "../shapes/agents.ts";
import { costFields, historyEntryShape, usageRowShape } from "../shapes/history.ts";
import { cursor, idText, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listAgents = {
  ...NO_INPUT,
  method: "get",
  path: "/api/agents",
  summary:
    "Agents of active groups and the newest 20 of deleted groups, newest first; GET /api/history has all.",
  query: z.strictObject({
    groupId: idText.optional(),
    status: z
      .enum([...AGENT_STATUSES, "all"])
      .default("all")
      .describe("completed includes resultReported; failed includes timedOut and lost"),
    limit: limit(1_000, 100),
    cursor,
  }),
  answer: z.object({
    agents: z.array(agentCardShape),
    total: z.number().describe("All that match, not only this page"),
    nextCursor: z.string().nullable(),
  }),
} as const satisfies RouteContract;

export const getAgent = {
  ...ONLY_ID,
  method: "get",
  path: "/api/agents/{id}",
  summary: "One agent: its prompt, its progress and its result.",
  answer: agentCardShape.extend({
    prompt: z.string().describe("The caller's request, without what we add to it"),
    workingDirectory: z.string(),
    host: z
      .object({ kind: z.enum(["server", "worker"]), name: z.string() })
      .optional()
      .describe("With PostgreSQL: where it runs or ran"),
    access: z.enum(ACCESS_MODES),
    timeout_ms: z.number().nullable(),
    stopReason: z.string().nullable(),
    resumedAgentId: z
      .string()
      .optional()
      .describe("The agent whose conversation it was asked to continue"),
    progress: z.object({
      lastMessage: z.string(),
      editedFiles: z.array(z.string()),
      createdFiles: z.array(z.string()),
      deletedFiles: z.array(z.string()).optional(),
      usage: usageShape.nullable(),
      reportedModel: z.string().optional().describe("The model as the CLI names it"),
      retries: retriesShape
        .optional()
        .describe("Requests to the model that failed and were sent again"),
      sessionId: z.string().nullable(),
      lostSession: z
        .string()
        .optional()
        .describe("The conversation that could not be continued, so that it began a new one"),
      skippedLines: z.number(),
    }),
    cost: z.object(costFields).describe("Cost of the tokens seen so far"),
    result: resultShape.nullable(),
  }),
} as const satisfies RouteContract;

export const getPrompt = {
  ...ONLY_ID,
  method: "get",
  path: "/api/agents/{id}/prompt",
  summary:
    "The agent's whole prompt: role, rules, results of the previous stage, request. It is composed for this answer, so a role that was changed after the start shows as it is now.",
  answer: z.object({
    agentId: z.string(),
    request: z.string().describe("The caller's request"),
    prompt: z.string().describe("The request with everything that precedes it"),
  }),
} as const satisfies RouteContract;

export const getTranscript = {
  ...ONLY_ID,
  method: "get",
  path: "/api/agents/{id}/transcript",
  summary: "The output of the agent's CLI, line by line; continue from nextOffset.",
  query: z.strictObject({
    offset: z.coerce.number<string | number>().int().min(0).default(0).describe("In bytes"),
    maxBytes: z.coerce.number<string | number>().int().min(1_024).max(1_048_576).default(65_536),
  }),
  answer: z.object({
    agentId: z.string(),
    lines: z.array(z.string()),
    nextOffset: z.number(),
    size: z.number().describe("Bytes so far; it grows while the agent runs"),
  }),
} as const satisfies RouteContract;

export const listFiles = {
  ...ONLY_ID,
  method: "get",
  path: "/api/agents/{id}/files",
  summary: "Files the agent has written or deleted, as observed and as it reported.",
  answer: z.object({
    agentId: z.string(),
    workingDirectory: z.string(),
    editedFiles: z.array(z.string()),
    createdFiles: z.array(z.string()),
    deletedFiles: z.array(z.string()).optional(),
  }),
} as const satisfies RouteContract;

export const sendMessage = {
  ...ONLY_ID,
  method: "post",
  path: "/api/agents/{id}/message",
  summary: "Leave a message for a running agent; its next tool call announces it.",
  body: z.strictObject({ text: z.string().trim().min(1).max(100_000) }),
  status: 202,
  answer: z.object({
    notificationId: z.string(),
    agentId: z.string(),
    status: z.enum(NOTIFICATION_STATUSES),
  }),
} as const satisfies RouteContract;

export const cancelAgent = {
  ...ONLY_ID,
  method: "post",
  path: "/api/agents/{id}/cancel",
  summary: "Stop an agent; an orchestrator's sub-agents are stopped with it.",
  status: 202,
  answer: z.object({
    agentId: z.string(),
    status: z.enum(AGENT_STATUSES).describe("Becomes cancelled when its processes are gone"),
    stopping: z.array(z.string()).describe("All agents that are being stopped"),
  }),
} as const satisfies RouteContract;

const time = z.iso.datetime({ offset: true }).optional();

export const listHistory = {
  ...NO_INPUT,
  method: "get",
  path: "/api/history",
  summary: "Settled agents with their results; by default the last to end comes first.",
  query: z.strictObject({
    groupId: idText.optional(),
    role: idText.optional(),
    runner: idText.optional(),
    status: z.enum(AGENT_STATUSES).optional(),
    from: time.describe("Ended at or after"),
    until: time.describe("Ended before"),
    order: z.enum(["asc", "desc"]).default("desc").describe("By the time they ended"),
    limit: limit(200, 50),
    cursor,
  }),
  answer: z.object({ entries: z.array(historyEntryShape), nextCursor: z.string().nullable() }),
} as const satisfies RouteContract;

export const listUsage = {
  ...NO_INPUT,
  method: "get",
  path: "/api/usage",
  summary: "Tokens and their cost by day (UTC), runner, model and role.",
  query: z.strictObject({
    from: z.iso.date().optional().describe("The first day; default: 30 days back"),
    until: z.iso.date().optional().describe("The last day; default: today"),
  }),
  answer: z.object({ from: z.string(), until: z.string(), rows: z.array(usageRowShape) }),
} as const satisfies RouteContract;
