import type { Core } from "../core.ts";
import type { ApprovalPage, ApprovalQuery } from "../ports/task-store.ts";

/** Pending approvals with the oldest first, other approvals with the newest first. */
export function listApprovals(
  core: Pick<Core, "store">,
  query: ApprovalQuery,
): Promise<ApprovalPage> {
  return core.store.listApprovals(query);
}
