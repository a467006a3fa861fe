import { z } from "zod";
import { decideApproval as decide } from "../../../../app/approvals/decide-approval.ts";
import { APPROVAL_STATUSES } from "../../../../domain/approvals/approval.ts";
import { yesNeeded } from "../../../../domain/approvals/decide.ts";
import { defineTool } from "../../define-tool.ts";

export const decideApproval = defineTool({
  name: "decide_approval",
  description:
    "Decide in the name of the person whose token this client has. Only when that person has just told you to, about exactly this approval.",
  callers: ["person"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    approvalId: z.string(),
    decision: z.enum(["approve", "reject"]),
    version: z.int().min(1).describe("Version that the person saw"),
    reason: z.string().max(10_000).optional().describe("Needed to reject a draft"),
    answer: z
      .string()
      .max(100_000)
      .optional()
      .describe("Question: the answer; outcome: done or repeat"),
    scope: z.enum(["once", "any_arguments"]).optional().describe("Step: what the yes is for"),
    onReject: z.enum(["fail", "skip"]).optional().describe("Step: skip goes on without it"),
  }),
  output: z.object({
    approvalId: z.string(),
    status: z.enum(APPROVAL_STATUSES).describe("pending: more people must say yes"),
    decidedBy: z.string().nullable(),
    yes: z.number().describe("How many have said yes"),
    yesNeeded: z.number(),
  }),
  async run({ core, identity }, { reason, answer, scope, onReject, ...said }) {
    const decided = await decide(core, identity, {
      ...said,
      ...(reason !== undefined && { reason }),
      ...(answer !== undefined && { answer }),
      ...(scope && { scope }),
      ...(onReject && { onReject }),
    });
    return {
      approvalId: decided.id,
      status: decided.status,
      decidedBy: decided.decidedBy,
      yes: decided.votes.filter(({ decision }) => decision === "approve").length,
      yesNeeded: yesNeeded(decided.policy),
    };
  },
});
