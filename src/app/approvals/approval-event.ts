import type { Approval } from "../../domain/approvals/approval.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";

/** The fields of every approval event, after the change; spread them beside `type`. */
export async function approvalFacts(
  core: Pick<Core, "clock">,
  unit: UnitOfWork,
  { id, kind, taskId, executionId, stepId, status, title, version }: Approval,
) {
  const pending = await unit.countPendingApprovals();
  return {
    groupId: null,
    agentId: null,
    taskId,
    data: { approvalId: id, kind, taskId, executionId, stepId, status, title, version, pending },
    at: core.clock.now(),
  };
}
