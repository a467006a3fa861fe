import type { Approval } from "../../domain/approvals/approval.ts";
import type { Core } from "../core.ts";
import { applyMergeDecision } from "../merges/apply-merge-decision.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { applyDraftDecision } from "../tasks/drafting/apply-draft-decision.ts";
import { applyExecutionDecision } from "../tasks/execution/apply-execution-decision.ts";

/** The effect of a decision or an expiry on the task or the merge. */
export function applyDecision(core: Core, unit: UnitOfWork, approval: Approval): Promise<void> {
  switch (approval.kind) {
    case "prompt":
    case "process":
      return applyDraftDecision(core, unit, approval);
    case "step":
    case "unplanned_tool":
    case "call":
    case "question":
    case "outcome":
      return applyExecutionDecision(core, unit, approval);
    case "merge":
      return applyMergeDecision(core, unit, approval);
  }
}
