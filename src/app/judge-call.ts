import type { Agent } from "../domain/agent.ts";
import type { Approval, ApprovalKind } from "../domain/approval.ts";
import { callBinding } from "../domain/call-binding.ts";
import type { Step, ToolRef } from "../domain/draft.ts";
import {
  applyToExecution,
  applyToStep,
  isOver,
  type Execution,
  type StepStatus,
} from "../domain/execution.ts";
import type { AgentId } from "../domain/ids.ts";
import { matchStep } from "../domain/match-step.ts";
import { Refusal } from "../domain/refusal.ts";
import { stateOf } from "../domain/step-progress.ts";
import { toolName } from "../domain/step-tool.ts";
import {
  approvalExpired,
  executionOver,
  executionStopping,
  notInAnExecution,
  notInProcess,
  stepClosed,
  stepRejected,
} from "./call-refusals.ts";
import type { Core } from "./core.ts";
import { updateExecutionIn } from "./execution-event.ts";
import { askOutcomeIn, findOutcomeIn, lostCallIn, pendingOutcomeIn } from "./outcome-approval.ts";
import type { StoredEvent, UnitOfWork } from "./ports/store.ts";
import type { JsonObject } from "./ports/upstream.ts";
import { requestApprovalIn } from "./request-approval.ts";
import { requireNotStopped } from "./stop-requested.ts";

const MANY = 500;

/** A call an agent of an execution wants to make. */
export type WantedCall = {
  readonly agentId: AgentId;
  readonly ref: ToolRef;
  readonly args: JsonObject;
  /** It changes nothing, so it may be made while a stop is open. */
  readonly isReadOnly: boolean;
};

export type Judgement =
  | {
      readonly kind: "pass";
      readonly agent: Agent;
      readonly execution: Execution;
      /** null: in no step, allowed all the same. */
      readonly step: Step | null;
      /** Who let it through; used up by the call. */
      readonly approval: Approval | null;
    }
  /** A person said that the lost call took effect: it is not made again. */
  | { readonly kind: "took_effect"; readonly approval: Approval }
  | {
      readonly kind: "wait";
      readonly approval: Approval;
      readonly events: readonly StoredEvent[];
    };

type Case = {
  readonly core: Core;
  readonly unit: UnitOfWork;
  readonly wanted: WantedCall;
  readonly agent: Agent;
  readonly execution: Execution;
  /** The agent was told to stop, and the tool is read-only: nobody is asked any more. */
  readonly isStopped: boolean;
};

/**
 * What the approved process says about a call, in the caller's transaction: nothing can change
 * between this judgement and the intent that is committed with it.
 */
export async function judgeCallIn(
  core: Core,
  unit: UnitOfWork,
  wanted: WantedCall,
): Promise<Judgement> {
  const agent = await unit.getAgent(wanted.agentId);
  const execution = await unit.getExecution(agent?.executionId ?? "");
  if (!agent || !execution) throw notInAnExecution();
  const isStopped = await isStoppedIn(unit, wanted);
  if (isOver(execution)) throw executionOver(execution);
  if (execution.status === "stopping" && !wanted.isReadOnly) throw executionStopping(execution);
  const process = await unit.getProcessDraft(execution.processId);
  const match = matchStep(
    {
      steps: process?.steps ?? [],
      states: execution.steps,
      namedStepId: execution.namedStepId,
    },
    wanted.ref,
  );
  const facts: Case = { core, unit, wanted, agent, execution, isStopped };
  const known = await judgeByOutcome(facts, match?.step ?? null);
  if (known) return known;
  if (!match) return judgeUnplanned(facts);
  const state = stateOf(execution, match.step.id);
  if (state?.status === "rejected") throw await rejectionOf(facts, match.step, state.error);
  return match.requiresHumanCheck
    ? judgeByApproval(facts, "step", match.step)
    : pass(facts, match.step, null);
}

async function isStoppedIn(unit: UnitOfWork, wanted: WantedCall): Promise<boolean> {
  try {
    await requireNotStopped(unit, wanted.agentId);
    return false;
  } catch (error) {
    if (wanted.isReadOnly && error instanceof Refusal) return true;
    throw error;
  }
}

/** The same call may have taken effect before: then a person's word decides, not the policy. */
async function judgeByOutcome(facts: Case, step: Step | null): Promise<Judgement | undefined> {
  const { core, unit, wanted, execution } = facts;
  const asked = await findOutcomeIn(core, unit, execution, wanted.ref, wanted.args);
  if (asked && asked.usedAt === null) {
    const judged = await judgeAsked(facts, step, asked);
    if (judged) return judged;
  }
  if (step === null || stateOf(execution, step.id)?.status !== "outcome_unknown") return undefined;
  const pending = await pendingOutcomeIn(core, unit, execution, step.id);
  return pending && wait(facts, step, pending.approval, pending.events);
}

async function judgeAsked(
  facts: Case,
  step: Step | null,
  asked: Approval,
): Promise<Judgement | undefined> {
  const { core, unit, execution } = facts;
  switch (asked.status) {
    case "pending":
      return wait(facts, step, asked, []);
    case "approved":
      return asked.choice?.answer === "done"
        ? { kind: "took_effect", approval: asked }
        : pass(facts, step, asked);
    case "rejected":
      // A later attempt begins anew.
      if (asked.executionId === execution.id) throw stepRejected(asked);
      return undefined;
    case "expired":
      if (asked.executionId === execution.id) throw approvalExpired(asked);
      break;
    case "superseded":
    case "cancelled":
      break;
  }
  const lost = await lostCallIn(unit, asked);
  if (lost?.status !== "outcome_unknown") return undefined;
  const again = await askOutcomeIn(core, unit, execution, lost);
  return wait(facts, step, again.approval, again.events);
}

async function judgeUnplanned(facts: Case): Promise<Judgement> {
  const { core, wanted } = facts;
  switch (core.settings.tasks.unplannedTools) {
    case "allow":
      return pass(facts, null, null);
    case "refuse":
      throw notInProcess(wanted.ref);
    case "ask":
      return judgeByApproval(facts, "unplanned_tool", null);
  }
}

/** Somebody has said yes or no to exactly this call, or is asked now. */
async function judgeByApproval(
  facts: Case,
  kind: Extract<ApprovalKind, "step" | "unplanned_tool">,
  step: Step | null,
): Promise<Judgement> {
  const { core, unit, wanted, execution } = facts;
  const binding = core.tokens.hash(
    callBinding(execution.id, step?.id ?? null, wanted.ref, wanted.args),
  );
  const [newest] = await unit.listApprovalsByBinding(binding);
  if (newest?.status === "rejected") {
    throw kind === "step" ? stepRejected(newest) : notInProcess(wanted.ref, newest);
  }
  if (newest?.status === "expired") throw approvalExpired(newest);
  if (newest?.status === "pending") return wait(facts, step, newest, []);
  if (newest?.status === "approved" && newest.usedAt === null) return pass(facts, step, newest);
  const wide = await findWide(facts, kind, step);
  if (wide) return pass(facts, step, wide);
  const asked = await ask(facts, kind, step, binding);
  return wait(facts, step, asked.approval, asked.events);
}

/** "This step, any arguments": every later call of it passes. */
async function findWide(
  { unit, execution, wanted }: Case,
  kind: ApprovalKind,
  step: Step | null,
): Promise<Approval | undefined> {
  const { approvals } = await unit.listApprovals({
    executionId: execution.id,
    kind,
    statuses: ["approved"],
    limit: MANY,
  });
  return approvals.find(
    ({ choice, stepId, shown }) =>
      choice?.scope === "any_arguments" &&
      stepId === (step?.id ?? null) &&
      shown["tool"] === toolName(wanted.ref),
  );
}

async function ask(
  { core, unit, wanted, execution, agent }: Case,
  kind: Extract<ApprovalKind, "step" | "unplanned_tool">,
  step: Step | null,
  binding: string,
) {
  const task = await unit.getTask(execution.taskId);
  const tool = toolName(wanted.ref);
  return requestApprovalIn(core, unit, {
    kind,
    taskId: execution.taskId,
    requester: task?.requester ?? "unknown",
    title: step?.title ?? UNPLANNED[core.settings.locale](tool),
    executionId: execution.id,
    stepId: step?.id ?? null,
    agentId: agent.id,
    binding,
    shown: {
      tool,
      args: wanted.args,
      step: step && { id: step.id, order: step.order, title: step.title },
    },
  });
}

const UNPLANNED = {
  ja: (tool: string) => `ステップにないツール ${tool} を使おうとしています`,
  en: (tool: string) => `${tool} is in no step and is to be used`,
} as const;

function pass({ agent, execution }: Case, step: Step | null, approval: Approval | null): Judgement {
  return { kind: "pass", agent, execution, step, approval };
}

const MAY_WAIT: readonly StepStatus[] = ["waiting", "running", "done", "failed"];

/** Shows that a person is needed, where it does not show yet. */
async function wait(
  { core, unit, execution, wanted, isStopped }: Case,
  step: Step | null,
  approval: Approval,
  events: readonly StoredEvent[],
): Promise<Judgement> {
  if (isStopped) await requireNotStopped(unit, wanted.agentId);
  const now = core.clock.now();
  const status = step && stateOf(execution, step.id)?.status;
  const shown =
    step && status && approval.kind !== "outcome" && MAY_WAIT.includes(status)
      ? applyToStep(execution, step.id, "human_needed", now)
      : execution;
  const next =
    execution.status === "running" ? applyToExecution(shown, "human_needed", now) : shown;
  if (next === execution) return { kind: "wait", approval, events };
  const { event } = await updateExecutionIn(core, unit, next, execution);
  return { kind: "wait", approval, events: [...events, event] };
}

async function rejectionOf(
  { unit, execution }: Case,
  step: Step,
  reason: string | null,
): Promise<Error> {
  const { approvals } = await unit.listApprovals({
    executionId: execution.id,
    kind: "step",
    statuses: ["rejected"],
    limit: MANY,
  });
  const rejection = approvals.find(({ stepId }) => stepId === step.id);
  return rejection ? stepRejected(rejection) : stepClosed(step.id, reason);
}
