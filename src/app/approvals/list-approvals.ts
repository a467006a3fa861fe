import type { Core } from "../core.ts";
import type { ApprovalPage, ApprovalQuery } from "../ports/task-store.ts";

/** What waits for people, the oldest first; or what became of it, the newest first. */
export function listApprovals(
  core: Pick<Core, "store">,
  query: ApprovalQuery,
): Promise<ApprovalPage> {
  return core.store.listApprovals(query);
}
