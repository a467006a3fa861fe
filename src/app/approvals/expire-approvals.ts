import { nextApprovalStatus, type Approval } from "../../domain/approvals/approval.ts";
import { isExpired } from "../../domain/approvals/decide.ts";
import type { Core } from "../core.ts";
import { auditIn } from "../people/audit.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { applyDecisionIn } from "./apply-decision.ts";
import { approvalEventIn } from "./approval-event.ts";

const BATCH = 100;

/**
 * Reminds of what is due and ends what has expired, by the clock as it is now. Answers how many it
 * could not: they stay due.
 */
export async function expireApprovals(core: Core): Promise<number> {
  for (;;) {
    const due = await core.store.listDueApprovals(core.clock.now(), BATCH);
    let failed = 0;
    let settled = 0;
    for (const { id } of due) {
      try {
        if (await settle(core, id)) settled++;
      } catch (error) {
        failed++;
        core.log.error("An approval that is due could not be settled.", {
          approvalId: id,
          error: String(error),
        });
      }
    }
    // A round that got nowhere would go round for ever.
    if (failed > 0 || settled === 0 || due.length < BATCH) return failed;
  }
}

/** One by one: what goes wrong with one is not the others' trouble. Answers whether it did anything. */
async function settle(core: Core, id: string): Promise<boolean> {
  const { taskId, events } = await core.store.transaction(async (unit) => {
    const approval = await unit.getApproval(id);
    const now = core.clock.now();
    // Somebody decided or extended it meanwhile.
    if (approval?.status !== "pending") return { taskId: null, events: [] };
    if (isExpired(approval, now)) {
      return { taskId: approval.taskId, events: await expireIn(core, unit, approval) };
    }
    return { taskId: null, events: await remindIn(core, unit, approval, now) };
  });
  core.live.publish(events);
  if (taskId !== null) core.advanceSoon(taskId);
  return events.length > 0;
}

async function expireIn(core: Core, unit: UnitOfWork, before: Approval): Promise<StoredEvent[]> {
  const status = nextApprovalStatus(before.status, "expired");
  const decidedAt = core.clock.now();
  const expired = await unit.updateApproval({ ...before, status, decidedAt }, before);
  await auditIn(core, unit, {
    actor: "system",
    action: "approval.expired",
    subject: expired.id,
    data: { kind: expired.kind, taskId: expired.taskId, shownHash: expired.shownHash },
  });
  const event = await approvalEventIn(core, unit, "expired", expired);
  return [event, ...(await applyDecisionIn(core, unit, expired))];
}

async function remindIn(
  core: Core,
  unit: UnitOfWork,
  before: Approval,
  now: number,
): Promise<StoredEvent[]> {
  if (before.remindAt === null || before.remindAt > now) return [];
  const reminded = await unit.updateApproval({ ...before, remindAt: null }, before);
  return [await approvalEventIn(core, unit, "reminded", reminded)];
}
