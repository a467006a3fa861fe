import type { Approval } from "../../domain/approvals/approval.ts";
import { Refusal } from "../../domain/refusal.ts";

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
