import { z } from "zod";
import { listApprovals as list } from "../../../../app/approvals/list-approvals.ts";
import { requirePerson } from "../../../../app/people/require-person.ts";
import { iso, isoOrNull } from "../../../../contract/shapes/iso.ts";
import { APPROVAL_KINDS, type Approval } from "../../../../domain/approvals/approval.ts";
import { mayDecide } from "../../../../domain/approvals/decide.ts";
import { defineTool } from "../../define-tool.ts";

const approval = z.object({
  approvalId: z.string(),
  version: z.number().describe("decide_approval wants it"),
  kind: z.enum(APPROVAL_KINDS),
  title: z.string(),
  shown: z.record(z.string(), z.unknown()).describe("Show all of it to the person"),
  choices: z.array(z.string()),
  taskId: z.string().nullable(),
  agentId: z.string().nullable().describe("The agent that asked"),
  requester: z.string(),
  isYours: z.boolean().describe("This person may decide it"),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
});

export const listApprovals = defineTool({
  name: "list_approvals",
  description: "What waits for a person's decision, oldest first.",
  callers: ["person"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({
    taskId: z.string().optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().optional(),
  }),
  output: z.object({ approvals: z.array(approval), nextCursor: z.string().nullable() }),
  async run({ core, identity }, { taskId, limit, cursor }) {
    const { id } = requirePerson(identity, "viewer");
    const page = await list(core, {
      statuses: ["pending"],
      limit,
      ...(taskId !== undefined && { taskId }),
      ...(cursor !== undefined && { cursor }),
    });
    return {
      approvals: page.approvals.map((each) => wire(each, id)),
      nextCursor: page.nextCursor,
    };
  },
});

function wire(each: Approval, person: string): z.infer<typeof approval> {
  const { id, version, kind, title, shown, choices, taskId, agentId, requester } = each;
  return {
    approvalId: id,
    version,
    kind,
    title,
    shown,
    choices: [...choices],
    taskId,
    agentId,
    requester,
    isYours: mayDecide(each, person),
    createdAt: iso(each.createdAt),
    expiresAt: isoOrNull(each.expiresAt),
  };
}
