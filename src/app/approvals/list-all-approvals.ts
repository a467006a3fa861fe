import type { Approval } from "../../domain/approvals/approval.ts";
import type { ApprovalQuery, TaskQueries } from "../ports/task-store.ts";

const PAGE_LIMIT = 500;

/** Reads all pages: a missed approval could be a missed decision. */
export async function listAllApprovals(
  queries: Pick<TaskQueries, "listApprovals">,
  query: Omit<ApprovalQuery, "limit" | "cursor">,
): Promise<readonly Approval[]> {
  const found: Approval[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const next = cursor === undefined ? {} : { cursor };
    const page = await queries.listApprovals({ ...query, ...next, limit: PAGE_LIMIT });
    found.push(...page.approvals);
    cursor = page.nextCursor;
  }
  return found;
}
