import { nextApprovalStatus, type Approval } from "../../domain/approvals/approval.ts";
import { isExpired } from "../../domain/approvals/decide.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { applyDecision } from "./apply-decision.ts";
import { approvalFacts } from "./approval-event.ts";

const BATCH = 100;

/** Sends due reminders and expires approvals. Returns how many failed; these stay due. */
export async function expireApprovals(core: Core): Promise<number> {
  for (;;) {
    const due = await core.store.listDueApprovals(core.clock.now(), BATCH);
    let failed = 0;
    let handled = 0;
    for (const { id } of due) {
      try {
        if (await remindOrExpire(core, id)) handled++;
      } catch (error) {
        failed++;
        core.log.error("Reminding of or expiring an approval failed.", {
          approvalId: id,
          error: String(error),
        });
      }
    }
    // Prevents an endless loop: without progress the next batch would be the same.
    if (failed > 0 || handled === 0 || due.length < BATCH) return failed;
  }
}

/** One transaction per approval isolates failures. Returns whether anything changed. */
async function remindOrExpire(core: Core, id: string): Promise<boolean> {
  return core.store.transaction(async (unit) => {
    const approval = await unit.getApproval(id);
    const now = core.clock.now();
    // A person has decided concurrently.
    if (approval?.status !== "pending") return false;
    if (!isExpired(approval, now)) return remind(core, unit, approval, now);
    await expire(core, unit, approval);
    return true;
  });
}

async function expire(core: Core, unit: UnitOfWork, before: Approval): Promise<void> {
  const status = nextApprovalStatus(before.status, "expired");
  const decidedAt = core.clock.now();
  const expired = await unit.updateApproval({ ...before, status, decidedAt }, before);
  await recordAudit(core, unit, {
    actor: "system",
    action: "approval.expired",
    subject: expired.id,
    data: { kind: expired.kind, taskId: expired.taskId, shownHash: expired.shownHash },
  });
  await unit.emit({ type: "approval:expired", ...(await approvalFacts(core, unit, expired)) });
  await applyDecision(core, unit, expired);
}

async function remind(
  core: Core,
  unit: UnitOfWork,
  before: Approval,
  now: number,
): Promise<boolean> {
  if (before.remindAt === null || before.remindAt > now) return false;
  const reminded = await unit.updateApproval({ ...before, remindAt: null }, before);
  await unit.emit({ type: "approval:reminded", ...(await approvalFacts(core, unit, reminded)) });
  return true;
}
