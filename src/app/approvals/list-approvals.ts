import type { Approval } from "../../domain/approvals/approval.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { ApprovalPage, ApprovalQuery } from "../ports/task-store.ts";

/** What waits for people, the oldest first; or what became of it, the newest first. */
export function listApprovals(
  core: Pick<Core, "store">,
  query: ApprovalQuery,
): Promise<ApprovalPage> {
  return core.store.listApprovals(query);
}

export async function requireApproval(
  queries: { getApproval(id: string): Promise<Approval | undefined> },
  id: string,
): Promise<Approval> {
  const approval = await queries.getApproval(id);
  if (!approval) throw approvalNotFound(id);
  return approval;
}

export function approvalNotFound(id: string): Refusal {
  return new Refusal(
    "APPROVAL_NOT_FOUND",
    `There is no approval ${id}.`,
    "GET /api/approvals?status=pending lists what waits.",
  );
}
