import { isSettled } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import {
  nextToolCallStatus,
  type AgentCall,
  type ToolCallEvent,
} from "../../domain/gateway/tool-call.ts";
import type { Core } from "../core.ts";
import { auditIn } from "../people/audit.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { agentCallEventIn } from "./agent-call-event.ts";
import { askAgentOutcomeIn, lostAgentCallIn } from "./authorize-agent-call.ts";
import { endCall, releaseIn, type CallEnd } from "./record-answer.ts";

/** Stores the end of a call outside a task; asks a person if the outcome is unknown. */
export async function recordAgentAnswerIn(
  core: Core,
  unit: UnitOfWork,
  id: AgentCall["id"],
  end: CallEnd,
): Promise<StoredEvent[]> {
  const call = await unit.getAgentCall(id);
  if (call?.status !== "forwarded") return [];
  const ended = await unit.updateAgentCall(endCall(core, call, end), call);
  if (end.isUnsent) await releaseIn(unit, call);
  const told = await agentCallEventIn(core, unit, ended);
  if (end.event !== "answer_lost") return [told];
  return [told, ...(await askIn(core, unit, ended))];
}

/** An agent that has ended will not retry, so no person is asked; the audit records the loss. */
async function askIn(
  core: Core,
  unit: UnitOfWork,
  call: AgentCall,
): Promise<readonly StoredEvent[]> {
  await auditIn(core, unit, {
    actor: "system",
    action: "tool.outcome_unknown",
    subject: call.id,
    data: { agentId: call.agentId, server: call.server, tool: call.tool, error: call.error },
  });
  const agent = await unit.getAgent(call.agentId);
  return agent && !isSettled(agent) ? askAgentOutcomeIn(core, unit, agent, call) : [];
}

/** A person decided whether the lost call took effect. */
export async function settleLostAgentCallIn(
  core: Core,
  unit: UnitOfWork,
  approval: Approval,
  event: ToolCallEvent,
): Promise<StoredEvent[]> {
  const lost = await lostAgentCallIn(unit, approval);
  if (lost?.status !== "outcome_unknown") return [];
  const status = nextToolCallStatus(lost.status, event);
  const settled = await unit.updateAgentCall({ ...lost, status, endedAt: core.clock.now() }, lost);
  await auditIn(core, unit, {
    actor: approval.decidedBy ?? "system",
    action: `tool.${event}`,
    subject: lost.id,
    data: { approvalId: approval.id, agentId: lost.agentId },
  });
  return [await agentCallEventIn(core, unit, settled)];
}
