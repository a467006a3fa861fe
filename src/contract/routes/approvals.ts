import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "../../domain/approvals/approval.ts";
import type { RouteContract } from "../route-contract.ts";
import { approvalShape } from "../shapes/approvals.ts";
import { cursor, idText, limit, NO_INPUT, ONLY_ID } from "./inputs.ts";

export const listApprovals = {
  ...NO_INPUT,
  method: "get",
  path: "/api/approvals",
  summary: "Pending approvals (the oldest first), or decided ones (the newest first).",
  query: z.strictObject({
    status: z.enum(APPROVAL_STATUSES).optional(),
    kind: z.enum(APPROVAL_KINDS).optional(),
    taskId: idText.optional(),
    executionId: idText.optional(),
    agentId: idText.optional().describe("The agent that asked"),
    limit: limit(500, 100),
    cursor,
  }),
  answer: z.object({
    approvals: z.array(approvalShape),
    pending: z.number().describe("Number of all pending approvals"),
    nextCursor: z.string().nullable(),
  }),
} as const satisfies RouteContract;

export const getApproval = {
  ...ONLY_ID,
  method: "get",
  path: "/api/approvals/{id}",
  summary: "One approval, with exactly what is to be decided on.",
  query: z.strictObject({
    clip: z.stringbool().default(false).describe("Truncate long texts, as the live state does"),
  }),
  answer: approvalShape,
} as const satisfies RouteContract;

export const decideApproval = {
  ...ONLY_ID,
  method: "post",
  path: "/api/approvals/{id}/decision",
  summary: "Decide. One decision wins; a later one is refused (409) and names the first.",
  body: z.strictObject({
    decision: z.enum(["approve", "reject"]),
    version: z.int().describe("Version of the approval as you saw it"),
    reason: z.string().trim().max(10_000).optional(),
    answer: z
      .string()
      .max(100_000)
      .optional()
      .describe("Question: the answer. Outcome: `done` or `repeat`"),
    scope: z
      .enum(["once", "any_arguments"])
      .optional()
      .describe("Step: this call only, or any arguments of this step"),
    onReject: z
      .enum(["fail", "skip"])
      .optional()
      .describe(
        "Step: a rejection fails the execution, or the execution continues without the step",
      ),
  }),
  answer: approvalShape,
} as const satisfies RouteContract;

export const extendApproval = {
  ...ONLY_ID,
  method: "post",
  path: "/api/approvals/{id}/extend",
  summary: "Give people more time.",
  body: z.strictObject({ expiresAt: z.iso.datetime({ offset: true }), version: z.int() }),
  answer: approvalShape,
} as const satisfies RouteContract;
