import { isSettled } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import {
  nextToolCallStatus,
  type AgentCall,
  type ToolCallEvent,
} from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { emitAgentCall } from "./agent-call-event.ts";
import { askAgentOutcome, findLostAgentCall } from "./authorize-agent-call.ts";
import { endCall, releaseApproval, type CallEnd } from "./record-answer.ts";

/** Stores the end of a call outside a task; asks a person if the outcome is unknown. */
export async function recordAgentAnswer(
  core: Core,
  unit: UnitOfWork,
  id: AgentCall["id"],
  end: CallEnd,
): Promise<void> {
  const call = await unit.getAgentCall(id);
  if (call?.status !== "forwarded") return;
  const ended = await unit.updateAgentCall(endCall(core, call, end), call);
  if (end.isUnsent) await releaseApproval(unit, call);
  await emitAgentCall(core, unit, ended);
  if (end.event === "answer_lost") await askAboutLostCall(core, unit, ended, end);
}

/**
 * An agent that has ended will not retry, so no person is asked; the audit records the loss. A call
 * without a human check is stored only if another server carries it out. No person is asked about one
 * that was cancelled, as if this server had carried it out.
 */
async function askAboutLostCall(
  core: Core,
  unit: UnitOfWork,
  call: AgentCall,
  { isCancelled }: CallEnd,
): Promise<void> {
  await recordAudit(core, unit, {
    actor: "system",
    action: "tool.outcome_unknown",
    subject: call.id,
    data: { agentId: call.agentId, server: call.server, tool: call.tool, error: call.error },
  });
  if (isCancelled && call.approvalId === null) return;
  const agent = await unit.getAgent(call.agentId);
  if (agent && !isSettled(agent)) await askAgentOutcome(core, unit, agent, call);
}

/** A person decided whether the lost call took effect. */
export async function settleLostAgentCall(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
  event: ToolCallEvent,
): Promise<void> {
  const lost = await findLostAgentCall(unit, approval);
  if (lost?.status !== "outcome_unknown") return;
  const status = nextToolCallStatus(lost.status, event);
  const settled = await unit.updateAgentCall({ ...lost, status, endedAt: core.clock.now() }, lost);
  await recordAudit(core, unit, {
    actor: approval.decidedBy ?? "system",
    action: `tool.${event}`,
    subject: lost.id,
    data: { approvalId: approval.id, agentId: lost.agentId },
  });
  await emitAgentCall(core, unit, settled);
}
