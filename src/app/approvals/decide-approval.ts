import type { Approval } from "../../domain/approvals/approval.ts";
import { decide, type Decision } from "../../domain/approvals/decide.ts";
import type { Core, Identity } from "../core.ts";
import { auditRefusals } from "../people/audit-refusals.ts";
import { auditIn } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { applyDecisionIn } from "./apply-decision.ts";
import { approvalEventIn } from "./approval-event.ts";
import { requireApproval } from "./require-approval.ts";

export type DecideApproval = Decision & { readonly approvalId: string };

/**
 * A person decides. The word, what it does to the task, its event and its audit row are one
 * transaction: of all who decide at once one wins, and everyone else hears who.
 */
export async function decideApproval(
  core: Core,
  identity: Identity,
  input: DecideApproval,
): Promise<Approval> {
  const { approvalId, decision, version } = input;
  const attempt = { identity, subject: approvalId, ids: [approvalId], action: "approval.refused" };
  return auditRefusals(core, { ...attempt, data: { decision, version } }, async () => {
    const person = requirePerson(identity, "operator");
    const { approval, events } = await core.store.transaction((unit) =>
      decideIn(core, unit, person.id, input),
    );
    core.live.publish(events);
    if (approval.taskId !== null) core.advanceSoon(approval.taskId);
    return approval;
  });
}

async function decideIn(core: Core, unit: UnitOfWork, by: string, input: DecideApproval) {
  const before = await requireApproval(unit, input.approvalId);
  const approval = await unit.updateApproval(decide(before, by, input, core.clock.now()), before);
  await auditDecision(core, unit, by, input, approval);
  const events = await tellAndApply(core, unit, by, approval);
  return { approval, events };
}

async function tellAndApply(
  core: Core,
  unit: UnitOfWork,
  by: string,
  approval: Approval,
): Promise<StoredEvent[]> {
  if (approval.status === "pending") {
    return [await approvalEventIn(core, unit, "voted", approval, { by })];
  }
  const decided = await approvalEventIn(core, unit, "decided", approval, {
    by,
    reason: approval.reason,
  });
  return [decided, ...(await applyDecisionIn(core, unit, approval))];
}

function auditDecision(
  core: Core,
  unit: UnitOfWork,
  by: string,
  { decision }: DecideApproval,
  approval: Approval,
): Promise<void> {
  const { id, kind, status, taskId, executionId, stepId } = approval;
  return auditIn(core, unit, {
    actor: by,
    action: status === "pending" ? "approval.voted" : "approval.decided",
    subject: id,
    data: {
      kind,
      decision,
      status,
      taskId,
      executionId,
      stepId,
      version: approval.version,
      shownHash: approval.shownHash,
      reason: approval.votes.at(-1)?.reason ?? null,
      choice: approval.choice,
    },
  });
}
