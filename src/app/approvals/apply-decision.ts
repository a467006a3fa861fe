import type { Approval } from "../../domain/approvals/approval.ts";
import type { Core } from "../core.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { applyDraftDecisionIn } from "../tasks/drafting/apply-draft-decision.ts";
import { applyExecutionDecisionIn } from "../tasks/execution/apply-execution-decision.ts";

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
