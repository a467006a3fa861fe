import { nextApprovalStatus, type Approval } from "../../domain/approvals/approval.ts";
import { requireMayDecide, requireOpen, requireSeen } from "../../domain/approvals/decide.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { auditRefusals } from "../people/audit-refusals.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { approvalFacts } from "./approval-event.ts";
import { remindAt } from "./request-approval.ts";
import { requireApproval } from "./require-approval.ts";

export type ExtendApproval = {
  readonly approvalId: string;
  readonly version: number;
  readonly expiresAt: number;
};

/** Postpones the expiry and raises the version, so a decision must name the new version. */
export async function extendApproval(
  core: Core,
  identity: Identity,
  input: ExtendApproval,
): Promise<Approval> {
  const { approvalId, version, expiresAt } = input;
  const attempt = { identity, subject: approvalId, ids: [approvalId], action: "approval.refused" };
  return auditRefusals(core, { ...attempt, data: { extend: expiresAt, version } }, async () => {
    const person = requirePerson(identity, "operator");
    return core.store.transaction((unit) => recordExtension(core, unit, person.id, input));
  });
}

async function recordExtension(core: Core, unit: UnitOfWork, by: string, input: ExtendApproval) {
  const before = await requireApproval(unit, input.approvalId);
  const approval = await unit.updateApproval(extended(core, before, by, input), before);
  const { id, version, expiresAt } = approval;
  await recordAudit(core, unit, {
    actor: by,
    action: "approval.extended",
    subject: id,
    data: { from: before.expiresAt, until: expiresAt, version },
  });
  const { data, ...facts } = await approvalFacts(core, unit, approval);
  await unit.emit({ type: "approval:extended", ...facts, data: { ...data, by, expiresAt } });
  return approval;
}

function extended(
  core: Core,
  before: Approval,
  by: string,
  { version, expiresAt }: ExtendApproval,
): Approval {
  const now = core.clock.now();
  requireOpen(before, now);
  requireMayDecide(before, by);
  requireSeen(before, version);
  if (before.expiresAt === null || expiresAt <= before.expiresAt) throw noExtension(before);
  return {
    ...before,
    status: nextApprovalStatus(before.status, "extended"),
    expiresAt,
    remindAt: remindAt(now, core.settings.tasks.remindAfterMs, expiresAt),
    version: before.version + 1,
  };
}

function noExtension({ id, expiresAt }: Approval): Refusal {
  return expiresAt === null
    ? new Refusal("INVALID_ARGUMENTS", {
        en: [`${id} never expires.`, "There is nothing to extend."],
        ja: [`${id} に期限はありません。`, "延長は不要です。"],
      })
    : new Refusal("INVALID_ARGUMENTS", {
        en: [
          `${id} is already open until ${new Date(expiresAt).toISOString()}.`,
          "Give a later time.",
        ],
        ja: [
          `${id} の期限はすでに ${new Date(expiresAt).toISOString()} です。`,
          "それより後の時刻を指定してください。",
        ],
      });
}
