import type { Approval } from "../../domain/approvals/approval.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { TaskQueries } from "../ports/task-store.ts";

export async function requireApproval(
  queries: Pick<TaskQueries, "getApproval">,
  id: string,
): Promise<Approval> {
  const approval = await queries.getApproval(id);
  if (approval) return approval;
  throw new Refusal("APPROVAL_NOT_FOUND", {
    en: [
      `There is no approval ${id}.`,
      "GET /api/approvals?status=pending lists the pending approvals.",
    ],
    ja: [
      `承認 ${id} はありません。`,
      "承認待ちの一覧は GET /api/approvals?status=pending で読めます。",
    ],
  });
}
