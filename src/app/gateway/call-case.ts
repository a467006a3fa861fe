import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Step, ToolRef } from "../../domain/tasks/draft.ts";
import {
  applyToExecution,
  applyToStep,
  type Execution,
  type StepStatus,
} from "../../domain/tasks/execution.ts";
import { stateOf } from "../../domain/tasks/step-progress.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { JsonObject } from "../ports/upstream.ts";
import { saveExecution } from "../tasks/execution/execution-event.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";

/** A call that an agent of an execution wants to make. */
export type WantedCall = {
  readonly agentId: AgentId;
  readonly ref: ToolRef;
  readonly args: JsonObject;
  /** Read-only calls are allowed while a stop is open. */
  readonly isReadOnly: boolean;
  /** The configuration demands a human check for every call of the tool. */
  readonly isCheckDemanded: boolean;
};

export type CallAuthorization =
  | {
      readonly kind: "pass";
      readonly agent: Agent;
      readonly execution: Execution;
      /** null: an unplanned tool that is allowed. */
      readonly step: Step | null;
      /** The approval that the call uses up. */
      readonly approval: Approval | null;
    }
  /** A person confirmed that the lost call took effect, so it is not sent again. */
  | { readonly kind: "took_effect"; readonly approval: Approval }
  | { readonly kind: "wait"; readonly approval: Approval };

/** The facts for the decision, read in one transaction. */
export type CallCase = {
  readonly core: Core;
  readonly unit: UnitOfWork;
  readonly wanted: WantedCall;
  readonly agent: Agent;
  readonly execution: Execution;
  /** A stop is open. The call is read-only, so it may pass, but no person is asked for it. */
  readonly isStopped: boolean;
};

export function pass(
  { agent, execution }: CallCase,
  step: Step | null,
  approval: Approval | null,
): CallAuthorization {
  return { kind: "pass", agent, execution, step, approval };
}

const MAY_WAIT: readonly StepStatus[] = ["waiting", "running", "done", "failed"];

/** Waits for a person, and shows so in the step and the execution. */
export async function wait(
  { core, unit, execution, wanted, isStopped }: CallCase,
  step: Step | null,
  approval: Approval,
): Promise<CallAuthorization> {
  if (isStopped) await requireNotStopped(unit, wanted.agentId);
  const now = core.clock.now();
  const status = step && stateOf(execution, step.id)?.status;
  const shown =
    step && status && approval.kind !== "outcome" && MAY_WAIT.includes(status)
      ? applyToStep(execution, step.id, "human_needed", now)
      : execution;
  const next =
    execution.status === "running" ? applyToExecution(shown, "human_needed", now) : shown;
  if (next !== execution) await saveExecution(core, unit, next, execution);
  return { kind: "wait", approval };
}
