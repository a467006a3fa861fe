import type { Approval } from "../../domain/approvals/approval.ts";
import { decide, type Decision } from "../../domain/approvals/decide.ts";
import type { Person } from "../../domain/people/person.ts";
import type { Core, Identity } from "../core.ts";
import { auditRefusals } from "../people/audit-refusals.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { applyDecision } from "./apply-decision.ts";
import { approvalFacts } from "./approval-event.ts";
import { requireApproval } from "./require-approval.ts";

export type DecideApproval = Decision & {
  readonly approvalId: string;
  /** Where the person clicked, for the audit. */
  readonly via?: Readonly<Record<string, string>>;
};

/**
 * One transaction stores a person's decision, its effect on the task, its event and its audit row.
 * One of several concurrent decisions wins; the refusals of the others name the winner.
 */
export async function decideApproval(
  core: Core,
  identity: Identity,
  input: DecideApproval,
): Promise<Approval> {
  const { approvalId, decision, version, via } = input;
  const attempt = { identity, subject: approvalId, ids: [approvalId], action: "approval.refused" };
  const data = { decision, version, ...(via && { via }) };
  return auditRefusals(core, { ...attempt, data }, async () => {
    const person = requirePerson(identity, "operator");
    return core.store.transaction((unit) => recordDecision(core, unit, person, input));
  });
}

async function recordDecision(
  core: Core,
  unit: UnitOfWork,
  { id: by, groups }: Person,
  input: DecideApproval,
): Promise<Approval> {
  const before = await requireApproval(unit, input.approvalId);
  const decided = decide(before, by, input, core.clock.now(), groups);
  const approval = await unit.updateApproval(decided, before);
  await auditDecision(core, unit, by, input, approval);
  const { data, ...facts } = await approvalFacts(core, unit, approval);
  if (approval.status === "pending") {
    await unit.emit({ type: "approval:voted", ...facts, data: { ...data, by } });
    return approval;
  }
  const { reason } = approval;
  await unit.emit({ type: "approval:decided", ...facts, data: { ...data, by, reason } });
  await applyDecision(core, unit, approval);
  return approval;
}

function auditDecision(
  core: Core,
  unit: UnitOfWork,
  by: string,
  { decision, via }: DecideApproval,
  approval: Approval,
): Promise<void> {
  const { id, kind, status, taskId, executionId, stepId } = approval;
  return recordAudit(core, unit, {
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
      ...(via && { via }),
    },
  });
}
