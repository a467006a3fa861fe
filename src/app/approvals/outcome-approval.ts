import type { Approval } from "../../domain/approvals/approval.ts";
import { outcomeBinding } from "../../domain/gateway/call-binding.ts";
import type { ToolCall } from "../../domain/gateway/tool-call.ts";
import type { StepId } from "../../domain/ids.ts";
import type { ToolRef } from "../../domain/tasks/draft.ts";
import type { Execution } from "../../domain/tasks/execution.ts";
import { toolName } from "../../domain/tasks/step-tool.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { JsonObject } from "../ports/upstream.ts";
import { listAllApprovals } from "./list-all-approvals.ts";
import { requestApproval } from "./request-approval.ts";

/** Asks a person whether a forwarded call whose answer was lost took effect. */
export async function askOutcome(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  call: ToolCall,
): Promise<Approval> {
  const task = await unit.getTask(execution.taskId);
  const name = toolName(call);
  return requestApproval(core, unit, {
    kind: "outcome",
    taskId: execution.taskId,
    requester: task?.requester ?? "unknown",
    title: OUTCOME_TITLES[core.settings.locale](name),
    executionId: execution.id,
    stepId: call.stepId,
    agentId: call.agentId,
    binding: bindingOf(core, execution, call, call.args),
    choices: ["done", "repeat"],
    shown: {
      callId: call.id,
      tool: name,
      args: JSON.parse(call.args),
      stepId: call.stepId,
      forwardedAt: new Date(call.startedAt).toISOString(),
      error: call.error,
    },
  });
}

export const OUTCOME_TITLES = {
  ja: (tool: string) => `${tool} の結果が失われました。実行されていましたか？`,
  en: (tool: string) => `The answer of ${tool} was lost. Did it take effect?`,
} as const;

/** The newest outcome approval about exactly this call in any execution of the process. */
export async function findOutcome(
  core: Pick<Core, "tokens">,
  unit: UnitOfWork,
  execution: Execution,
  ref: ToolRef,
  args: JsonObject,
): Promise<Approval | undefined> {
  const binding = bindingOf(core, execution, ref, canonicalJson(args));
  return (await unit.listApprovalsByBinding(binding))[0];
}

/** The pending outcome approval of a step; requests a new one if the last was closed undecided. */
export async function pendingOutcome(
  core: Core,
  unit: UnitOfWork,
  execution: Execution,
  stepId: StepId,
): Promise<Approval | undefined> {
  const approvals = await listAllApprovals(unit, {
    executionId: execution.id,
    kind: "outcome",
    statuses: ["pending"],
  });
  const approval = approvals.find((each) => each.stepId === stepId);
  if (approval) return approval;
  const calls = await unit.listTaskToolCalls(execution.taskId);
  const lost = calls.findLast(
    (call) => call.status === "outcome_unknown" && call.stepId === stepId,
  );
  return lost && askOutcome(core, unit, execution, lost);
}

/** Moves the pending outcome approvals of earlier executions to the new one. */
export async function moveOutcomes(unit: UnitOfWork, execution: Execution): Promise<void> {
  const approvals = await listAllApprovals(unit, {
    taskId: execution.taskId,
    kind: "outcome",
    statuses: ["pending"],
  });
  for (const approval of approvals) {
    if (approval.executionId === execution.id) continue;
    const earlier = await unit.getExecution(approval.executionId ?? "");
    if (earlier?.processId !== execution.processId) continue;
    await unit.updateApproval({ ...approval, executionId: execution.id }, approval);
  }
}

export async function findLostCall(
  unit: UnitOfWork,
  { shown }: Approval,
): Promise<ToolCall | undefined> {
  const { callId } = shown;
  return typeof callId === "string" ? unit.getToolCall(callId) : undefined;
}

function bindingOf(
  core: Pick<Core, "tokens">,
  { processId }: Execution,
  ref: ToolRef,
  args: string,
): string {
  return core.tokens.hash(outcomeBinding(processId, ref, args));
}
