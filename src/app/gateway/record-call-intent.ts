import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentCall, ToolCall } from "../../domain/gateway/tool-call.ts";
import type { AgentId, ToolCallId } from "../../domain/ids.ts";
import type { Execution } from "../../domain/tasks/execution.ts";
import { startStep } from "../../domain/tasks/step-progress.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { findLostCall } from "../approvals/outcome-approval.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { emitToolCall, saveExecution } from "../tasks/execution/execution-event.ts";
import type { CallAuthorization, WantedCall } from "./call-case.ts";

const MAX_REPEATS = 20;

export type Passed = Extract<CallAuthorization, { kind: "pass" }>;

export type Admission = {
  readonly call: ToolCall;
  /** The id of the first attempt at the same call. */
  readonly idempotencyKey: string;
};

export type Intent = {
  readonly id: ToolCallId;
  readonly wanted: WantedCall;
  /** `""` for role calls. */
  readonly server: string;
  /** The caller, or in a role call the agent that was started. */
  readonly agentId: AgentId;
};

/**
 * Stores the intent before anything is sent: the call, its step, the used approval and the audit
 * entry. Once committed, the call may have taken effect, even if the daemon crashes.
 */
export async function recordCallIntent(
  core: Core,
  unit: UnitOfWork,
  passed: Passed,
  { id, wanted, server, agentId }: Intent,
): Promise<Admission> {
  const { execution, step, approval, agent } = passed;
  const now = core.clock.now();
  const args = canonicalJson(wanted.args);
  const call: ToolCall = {
    id,
    taskId: execution.taskId,
    executionId: execution.id,
    agentId,
    stepId: step?.id ?? null,
    server,
    tool: wanted.ref.tool,
    args,
    argsHash: core.tokens.hash(args),
    status: "forwarded",
    approvalId: approval?.id ?? null,
    answer: null,
    error: null,
    startedAt: now,
    endedAt: null,
    version: 1,
    sentBy: core.calls.serverId,
    delivery: null,
    handedTo: core.placement?.ownerOf(server) ?? null,
  };
  await unit.insertToolCall(call);
  await emitToolCall(core, unit, call);
  const next = underWay(execution, agent, step?.id ?? null, now);
  if (next !== execution) await saveExecution(core, unit, next, execution);
  if (approval) await useApproval(unit, approval, now);
  await recordAudit(core, unit, {
    actor: `agent:${agent.id}`,
    action: "tool.forwarded",
    subject: id,
    data: {
      taskId: call.taskId,
      executionId: call.executionId,
      stepId: call.stepId,
      server,
      tool: call.tool,
      argsHash: call.argsHash,
      approvalId: call.approvalId,
    },
  });
  return { call, idempotencyKey: await idempotencyKeyOf(unit, id, approval, findLostCall) };
}

/** An approval of one call is used up; one for any arguments stays usable. */
export async function useApproval(
  unit: UnitOfWork,
  approval: Approval,
  now: number,
): Promise<void> {
  if (approval.usedAt === null) await unit.updateApproval({ ...approval, usedAt: now }, approval);
}

function underWay(
  execution: Execution,
  agent: Agent,
  stepId: Parameters<typeof startStep>[1] | null,
  now: number,
): Execution {
  // While the execution is stopping, only read-only calls pass; they start no step.
  if (execution.status === "stopping") return execution;
  const started = stepId === null ? execution : startStep(execution, stepId, now);
  // A parked executor that calls again after the decision resumes the execution.
  const isBack = execution.agentId === null && execution.agentIds.at(-1) === agent.id;
  return isBack ? { ...started, agentId: agent.id } : started;
}

/** A retry of a lost call has the key of the first attempt, so that the server can recognise it. */
export async function idempotencyKeyOf(
  unit: UnitOfWork,
  id: ToolCallId,
  approval: Approval | null,
  findLost: (unit: UnitOfWork, asked: Approval) => Promise<AgentCall | undefined>,
): Promise<string> {
  let key: string = id;
  let asked: Approval | null | undefined = approval;
  for (let repeats = 0; asked?.kind === "outcome" && repeats < MAX_REPEATS; repeats++) {
    const lost: AgentCall | undefined = await findLost(unit, asked);
    if (!lost) break;
    key = lost.id;
    asked = lost.approvalId === null ? null : await unit.getApproval(lost.approvalId);
  }
  return key;
}
