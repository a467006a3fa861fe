import type { Approval } from "../../domain/approvals/approval.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";

export type ApprovalEventName =
  | "requested"
  | "voted"
  | "decided"
  | "reminded"
  | "extended"
  | "expired"
  | "closed";

/** The event of a changed approval, in the same transaction; `pending`: how many wait after it. */
export async function approvalEventIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  name: ApprovalEventName,
  approval: Approval,
  more: Readonly<Record<string, unknown>> = {},
): Promise<StoredEvent> {
  const { id, kind, taskId, executionId, stepId, status, title, version } = approval;
  const pending = await unit.countPendingApprovals();
  return unit.appendEvent({
    type: `approval:${name}`,
    groupId: null,
    agentId: null,
    taskId,
    data: {
      approvalId: id,
      kind,
      taskId,
      executionId,
      stepId,
      status,
      title,
      version,
      pending,
      ...more,
    },
    at: core.clock.now(),
  });
}
