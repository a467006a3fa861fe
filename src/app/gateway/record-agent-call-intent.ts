import type { Approval } from "../../domain/approvals/approval.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { ToolCallId } from "../../domain/ids.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import type { Core } from "../core.ts";
import { auditIn } from "../people/audit.ts";
import type { StoredEvent, UnitOfWork } from "../ports/store.ts";
import { agentCallEventIn } from "./agent-call-event.ts";
import { lostAgentCallIn, type AgentWants } from "./authorize-agent-call.ts";
import { idempotencyKeyOf, useIn } from "./record-call-intent.ts";

export type AgentAdmission = {
  /** null: no human check, so the call is only in the audit. */
  readonly call: AgentCall | null;
  /** The id of the first attempt at the same call. */
  readonly idempotencyKey: string;
  readonly events: readonly StoredEvent[];
};

/**
 * Stores the intent of a call outside a task before anything is sent: the audit entry and, with a human
 * check, the row and the used approval. Once committed, the call may have taken effect.
 */
export async function recordAgentCallIntentIn(
  core: Core,
  unit: UnitOfWork,
  id: ToolCallId,
  { agent, tool, args }: AgentWants,
  approval: Approval | null,
): Promise<AgentAdmission> {
  const now = core.clock.now();
  const text = canonicalJson(args);
  const argsHash = core.tokens.hash(text);
  await auditIn(core, unit, {
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
  if (approval === null) return { call: null, idempotencyKey: id, events: [] };
  const call: AgentCall = {
    id,
    agentId: agent.id,
    server: tool.server,
    tool: tool.name,
    args: text,
    argsHash,
    status: "forwarded",
    approvalId: approval.id,
    answer: null,
    error: null,
    startedAt: now,
    endedAt: null,
    version: 1,
  };
  await unit.insertAgentCall(call);
  await useIn(unit, approval, now);
  const event = await agentCallEventIn(core, unit, call);
  const idempotencyKey = await idempotencyKeyOf(unit, id, approval, lostAgentCallIn);
  return { call, idempotencyKey, events: [event] };
}
