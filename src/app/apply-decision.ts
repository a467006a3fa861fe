import type { Approval } from "../domain/approval.ts";
import { applyDraftDecisionIn } from "./apply-draft-decision.ts";
import { applyExecutionDecisionIn } from "./apply-execution-decision.ts";
import type { Core } from "./core.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";

/** What a decision, or an expiry, does to the task; in the same transaction. */
export function applyDecisionIn(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
): Promise<StoredEvent[]> {
  switch (approval.kind) {
    case "prompt":
    case "process":
      return applyDraftDecisionIn(core, unit, approval);
    case "step":
    case "unplanned_tool":
    case "call":
    case "question":
    case "outcome":
      return applyExecutionDecisionIn(core, unit, approval);
  }
}
