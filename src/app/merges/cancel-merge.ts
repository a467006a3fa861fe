import { applyToMerge, isLanding, type Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import { closeApproval } from "../approvals/request-approval.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { forgetKept } from "./land-merges.ts";
import { mergeEvent } from "./merge-event.ts";
import { requireMerge } from "./require-merge.ts";

/** A person takes a merge back before it lands. */
export async function cancelMerge(core: Core, identity: Identity, id: string): Promise<Merge> {
  const person = requirePerson(identity, "operator");
  return core.store.transaction(async (unit) => {
    const merge = await requireMerge(unit, id);
    requireNotLanding(merge);
    const cancelled = await endMerge(core, unit, merge, "cancelled");
    await recordAudit(core, unit, {
      actor: person.id,
      action: "merge.cancelled",
      subject: id,
      data: { workspaceId: merge.workspaceId, version: merge.version, target: merge.target },
    });
    return cancelled;
  });
}

/** Cancels a merge and closes its approval. */
export async function endMerge(
  core: Core,
  unit: UnitOfWork,
  merge: Merge,
  closeAs: "cancelled" | "superseded",
): Promise<Merge> {
  const cancelled = await unit.updateMerge(
    applyToMerge(merge, "cancelled", { endedAt: core.clock.now() }),
    merge,
  );
  await unit.emit(mergeEvent(core, cancelled));
  const approval = await unit.getApproval(merge.approvalId ?? "");
  if (approval?.status === "pending") await closeApproval(core, unit, approval, closeAs);
  unit.afterCommit(() => void forgetKept(core, [merge]));
  return cancelled;
}

export function requireNotLanding(merge: Merge): void {
  if (!isLanding(merge)) return;
  throw new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `Merge ${merge.id} is landing on ${merge.target} right now.`,
      "Read it again in a moment. If it has landed, it can be undone.",
    ],
    ja: [
      `取り込み ${merge.id} は、今まさに ${merge.target} に反映されています。`,
      "少し待ってから読み直してください。取り込まれた場合は、取り消すことができます。",
    ],
  });
}
