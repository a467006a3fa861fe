import type { Approval, ApprovalKind } from "../../domain/approvals/approval.ts";
import { callBinding } from "../../domain/gateway/call-binding.ts";
import type { Step } from "../../domain/tasks/draft.ts";
import { toolName } from "../../domain/tasks/step-tool.ts";
import { requireRoomForCall } from "../approvals/limit-open-approvals.ts";
import { listAllApprovals } from "../approvals/list-all-approvals.ts";
import { requestApproval } from "../approvals/request-approval.ts";
import { pass, wait, type CallCase, type CallAuthorization } from "./call-case.ts";
import { approvalExpired, notInProcess, stepRejected } from "./call-refusals.ts";

/** Finds the decision about exactly this call, or asks a person. */
export async function authorizeByApproval(
  facts: CallCase,
  kind: Extract<ApprovalKind, "step" | "unplanned_tool">,
  step: Step | null,
): Promise<CallAuthorization> {
  const { core, unit, wanted, execution } = facts;
  const binding = core.tokens.hash(
    callBinding(execution.id, step?.id ?? null, wanted.ref, wanted.args),
  );
  const [newest] = await unit.listApprovalsByBinding(binding);
  if (newest?.status === "rejected") {
    throw kind === "step" ? stepRejected(newest) : notInProcess(wanted.ref, newest);
  }
  if (newest?.status === "expired") throw approvalExpired(newest);
  if (newest?.status === "pending") return wait(facts, step, newest);
  if (newest?.status === "approved" && newest.usedAt === null) return pass(facts, step, newest);
  const wide = await findWide(facts, kind, step);
  if (wide) return pass(facts, step, wide);
  await requireRoomForCall(unit, wanted.agentId);
  return wait(facts, step, await ask(facts, kind, step, binding));
}

/** An approval for any arguments lets every later call of the step pass. */
async function findWide(
  { unit, execution, wanted }: CallCase,
  kind: ApprovalKind,
  step: Step | null,
): Promise<Approval | undefined> {
  const approvals = await listAllApprovals(unit, {
    executionId: execution.id,
    kind,
    statuses: ["approved"],
  });
  return approvals.find(
    ({ choice, stepId, shown }) =>
      choice?.scope === "any_arguments" &&
      stepId === (step?.id ?? null) &&
      shown["tool"] === toolName(wanted.ref),
  );
}

async function ask(
  { core, unit, wanted, execution, agent }: CallCase,
  kind: Extract<ApprovalKind, "step" | "unplanned_tool">,
  step: Step | null,
  binding: string,
) {
  const task = await unit.getTask(execution.taskId);
  const tool = toolName(wanted.ref);
  return requestApproval(core, unit, {
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
