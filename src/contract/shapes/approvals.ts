import { z } from "zod";
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalPolicy,
} from "../../domain/approvals/approval.ts";
import { iso, isoOrNull } from "./iso.ts";

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
