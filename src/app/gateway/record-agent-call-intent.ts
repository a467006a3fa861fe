import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { ToolCallId } from "../../domain/ids.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import type { Core } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { emitAgentCall } from "./agent-call-event.ts";
import { findLostAgentCall, type AgentWants } from "./authorize-agent-call.ts";
import { idempotencyKeyOf, useApproval } from "./record-call-intent.ts";

export type AgentAdmission = {
  /** null: no human check, so the call is only in the audit. */
  readonly call: AgentCall | null;
  /** The id of the first attempt at the same call. */
  readonly idempotencyKey: string;
};

/**
 * Stores the intent of a call outside a task before anything is sent: the audit entry and, with a human
 * check, the row and the used approval. Once committed, the call may have taken effect.
 */
export async function recordAgentCallIntent(
  core: Core,
  unit: UnitOfWork,
  id: ToolCallId,
  { agent, tool, args }: AgentWants,
  approval: Approval | null,
): Promise<AgentAdmission> {
  const now = core.clock.now();
  const text = canonicalJson(args);
  const argsHash = core.tokens.hash(text);
  await recordAudit(core, unit, {
    actor: `agent:${agent.id}`,
    action: "tool.forwarded",
    subject: id,
    data: {
      taskId: agent.taskId,
      executionId: null,
      stepId: null,
      server: tool.server,
      tool: tool.name,
      argsHash,
      approvalId: approval?.id ?? null,
    },
  });
  const handedTo = core.placement?.ownerOf(tool.server) ?? null;
  // The server that is asked to forward it reads the row.
  if (approval === null && handedTo === null) return { call: null, idempotencyKey: id };
  const call: AgentCall = {
    id,
    agentId: agent.id,
    server: tool.server,
    tool: tool.name,
    args: text,
    argsHash,
    status: "forwarded",
    approvalId: approval?.id ?? null,
    answer: null,
    error: null,
    startedAt: now,
    endedAt: null,
    version: 1,
    sentBy: core.calls.serverId,
    delivery: null,
    handedTo,
  };
  await unit.insertAgentCall(call);
  if (approval) await useApproval(unit, approval, now);
  await emitAgentCall(core, unit, call);
  return { call, idempotencyKey: await idempotencyKeyOf(unit, id, approval, findLostAgentCall) };
}
