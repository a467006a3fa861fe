import type { Approval } from "../../domain/approvals/approval.ts";
import type { Step } from "../../domain/tasks/draft.ts";
import { stateOf } from "../../domain/tasks/step-progress.ts";
import {
  askOutcome,
  findOutcome,
  findLostCall,
  pendingOutcome,
} from "../approvals/outcome-approval.ts";
import { pass, wait, type CallCase, type CallAuthorization } from "./call-case.ts";
import { approvalExpired, stepRejected } from "./call-refusals.ts";

/** If an earlier answer was lost, the person's decision about its outcome counts, not the policy. */
export async function authorizeByOutcome(
  facts: CallCase,
  step: Step | null,
): Promise<CallAuthorization | undefined> {
  const { core, unit, wanted, execution } = facts;
  const asked = await findOutcome(core, unit, execution, wanted.ref, wanted.args);
  // "It took effect" applies to every retry, "call it again" to one.
  const isConfirmed = asked?.status === "approved" && asked.choice?.answer === "done";
  if (asked && (asked.usedAt === null || isConfirmed)) {
    const authorized = await authorizeAsked(facts, step, asked);
    if (authorized) return authorized;
  }
  if (step === null || stateOf(execution, step.id)?.status !== "outcome_unknown") return undefined;
  const pending = await pendingOutcome(core, unit, execution, step.id);
  return pending && wait(facts, step, pending);
}

async function authorizeAsked(
  facts: CallCase,
  step: Step | null,
  asked: Approval,
): Promise<CallAuthorization | undefined> {
  const { core, unit, execution } = facts;
  switch (asked.status) {
    case "pending":
      return wait(facts, step, asked);
    case "approved":
      return asked.choice?.answer === "done"
        ? { kind: "took_effect", approval: asked }
        : pass(facts, step, asked);
    case "rejected":
      // The rejection was in an earlier attempt; this one may ask again.
      if (asked.executionId === execution.id) throw stepRejected(asked);
      return undefined;
    case "expired":
      if (asked.executionId === execution.id) throw approvalExpired(asked);
      break;
    case "superseded":
    case "cancelled":
      break;
  }
  const lost = await findLostCall(unit, asked);
  if (lost?.status !== "outcome_unknown") return undefined;
  return wait(facts, step, await askOutcome(core, unit, execution, lost));
}
