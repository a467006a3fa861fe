import type { Approval } from "../../domain/approvals/approval.ts";
import { applyToMerge, type Merge } from "../../domain/merges/merge.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { mergeEvent } from "./merge-event.ts";

/** An approved merge waits in the queue; a rejected or expired one is over. */
export async function applyMergeDecision(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
): Promise<void> {
  const merge = await unit.getMerge(approval.subjectId ?? "");
  if (merge?.status !== "awaiting_approval") return;
  const decided = await unit.updateMerge(decide(merge, approval, core.clock.now()), merge);
  await unit.emit(mergeEvent(core, decided));
  if (decided.status === "queued") unit.afterCommit(() => core.mergeSoon());
}

function decide(merge: Merge, { status }: Approval, now: number): Merge {
  switch (status) {
    case "approved":
      return applyToMerge(merge, "approved", { queuedAt: now });
    case "rejected":
      return applyToMerge(merge, "rejected", { endedAt: now });
    case "expired":
    case "cancelled":
    case "superseded":
      return applyToMerge(merge, "cancelled", { endedAt: now });
    case "pending":
      return merge;
  }
}
