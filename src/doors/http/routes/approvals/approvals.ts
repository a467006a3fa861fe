import { z } from "zod";
import { decideApproval } from "../../../../app/approvals/decide-approval.ts";
import { extendApproval } from "../../../../app/approvals/extend-approval.ts";
import { listApprovals } from "../../../../app/approvals/list-approvals.ts";
import { requireApproval } from "../../../../app/approvals/require-approval.ts";
import { clipApproval } from "../../../../contract/clip-approval.ts";
import { approvalShape, wireApproval } from "../../../../contract/task-shapes.ts";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "../../../../domain/approvals/approval.ts";
import { defineRoute, type AnyRoute } from "../../define-route.ts";
import { byId, cursor, idText, limit, NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

const list = defineRoute({
  method: "get",
  path: "/api/approvals",
  summary: "What waits for a person (the oldest first), or what was decided (the newest first).",
  params: NO_PARAMS,
  query: z.strictObject({
    status: z.enum(APPROVAL_STATUSES).optional(),
    kind: z.enum(APPROVAL_KINDS).optional(),
    taskId: idText.optional(),
    executionId: idText.optional(),
    agentId: idText.optional().describe("The agent that asked"),
    limit: limit(500, 100),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({
    approvals: z.array(approvalShape),
    pending: z.number().describe("How many wait in all"),
    nextCursor: z.string().nullable(),
  }),
  async run(core, { query }) {
    const page = await listApprovals(core, {
      limit: query.limit,
      ...(query.status && { statuses: [query.status] }),
      ...(query.kind && { kind: query.kind }),
      ...(query.taskId && { taskId: query.taskId }),
      ...(query.executionId && { executionId: query.executionId }),
      ...(query.agentId && { agentId: query.agentId }),
      ...(query.cursor && { cursor: query.cursor }),
    });
    return {
      approvals: page.approvals.map(wireApproval),
      pending: await core.store.countPendingApprovals(),
      nextCursor: page.nextCursor,
    };
  },
});

const get = defineRoute({
  method: "get",
  path: "/api/approvals/{id}",
  summary: "One approval, with exactly what is to be decided on.",
  params: byId,
  query: z.strictObject({
    clip: z.stringbool().default(false).describe("At most as much of it as the live state has"),
  }),
  body: NO_BODY,
  answer: approvalShape,
  async run(core, { params, query }) {
    const approval = wireApproval(await requireApproval(core.store, params.id));
    return query.clip ? clipApproval(approval) : approval;
  },
});

const decide = defineRoute({
  method: "post",
  path: "/api/approvals/{id}/decision",
  summary: "Decide. One decision wins; who comes late is told who won (409).",
  params: byId,
  query: NO_QUERY,
  body: z.strictObject({
    decision: z.enum(["approve", "reject"]),
    version: z.int().describe("Of the approval as you saw it"),
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
      .describe("Step: a rejection fails the execution, or it goes on without the step"),
  }),
  answer: approvalShape,
  async run(core, { params, body }, identity) {
    const { decision, version } = body;
    const decided = await decideApproval(core, identity, {
      approvalId: params.id,
      decision,
      version,
      ...(body.reason !== undefined && { reason: body.reason }),
      ...(body.answer !== undefined && { answer: body.answer }),
      ...(body.scope && { scope: body.scope }),
      ...(body.onReject && { onReject: body.onReject }),
    });
    return wireApproval(decided);
  },
});

const extend = defineRoute({
  method: "post",
  path: "/api/approvals/{id}/extend",
  summary: "Give people more time.",
  params: byId,
  query: NO_QUERY,
  body: z.strictObject({ expiresAt: z.iso.datetime({ offset: true }), version: z.int() }),
  answer: approvalShape,
  async run(core, { params, body }, identity) {
    const extended = await extendApproval(core, identity, {
      approvalId: params.id,
      version: body.version,
      expiresAt: Date.parse(body.expiresAt),
    });
    return wireApproval(extended);
  },
});

export const APPROVAL_ROUTES: readonly AnyRoute[] = [list, get, decide, extend];
