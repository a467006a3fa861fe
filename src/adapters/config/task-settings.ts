import type { TaskSettings } from "../../app/core.ts";
import type { Config, PolicySettings } from "../../contract/config/schema.ts";
import type { ApprovalKind, ApprovalPolicy } from "../../domain/approvals/approval.ts";

export function taskSettingsOf(tasks: Config["tasks"]): TaskSettings {
  const policyOf = (kind: ApprovalKind) => toPolicy(tasks.approvals[kind] ?? tasks.approval);
  return {
    maxRegenerations: tasks.maxRegenerations,
    holdForMs: tasks.holdFor_ms,
    unplannedTools: tasks.unplannedTools,
    approvals: {
      prompt: policyOf("prompt"),
      process: policyOf("process"),
      step: policyOf("step"),
      unplanned_tool: policyOf("unplanned_tool"),
      call: policyOf("call"),
      question: policyOf("question"),
      outcome: policyOf("outcome"),
      merge: policyOf("merge"),
    },
    approvalExpiryMs: tasks.approvalExpiry_ms || null,
    remindAfterMs: tasks.remindAfter_ms || null,
    types: tasks.types,
  };
}

function toPolicy(written: PolicySettings): ApprovalPolicy {
  if (typeof written === "string") return { who: written };
  if ("quorum" in written) {
    return { who: "quorum", count: written.quorum, users: written.approvers ?? null };
  }
  return { who: "approvers", users: written.approvers };
}
