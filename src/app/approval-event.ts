import type { Approval } from "../domain/approval.ts";
import type { Core } from "./core.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";

export type ApprovalEventName =
  | "requested"
  | "voted"
  | "decided"
  | "reminded"
  | "extended"
  | "expired"
  | "closed";

/** Tells of an approval, in the same transaction as the change. */
export function approvalEventIn(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  name: ApprovalEventName,
  approval: Approval,
  more: Readonly<Record<string, unknown>> = {},
): Promise<StoredEvent> {
  const { id, kind, taskId, executionId, stepId, status, title, version } = approval;
  return unit.appendEvent({
    type: `approval:${name}`,
    groupId: null,
    agentId: null,
    taskId,
    data: { approvalId: id, kind, taskId, executionId, stepId, status, title, version, ...more },
    at: core.clock.now(),
  });
}
