import { isSettled } from "../../domain/agents/agent.ts";
import type { AgentCallHead } from "../../domain/gateway/tool-call.ts";
import type { AgentId, ApprovalId } from "../../domain/ids.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { requireAgent } from "../agents/require-agent.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { agentEnded } from "./ask-human.ts";
import { authorizeAgentCall, findLostAgentCall } from "./authorize-agent-call.ts";
import { isAnswered, replayOf } from "./find-earlier-answer.ts";
import {
  tookEffect,
  type Attempt,
  type CallRules,
  type CallVerdict,
  type GatewayCall,
} from "./gateway-call.ts";
import { repeatOf } from "./note-delivery.ts";
import { recordAgentAnswer } from "./record-agent-answer.ts";
import { recordAgentCallIntent } from "./record-agent-call-intent.ts";
import { useApproval } from "./record-call-intent.ts";
import { settleUnrecordedOfAgent } from "./settle-unrecorded.ts";

/**
 * Calls of an agent that works on no execution: started by run_agents, run_sequential or
 * run_magentic. The human check of the tool decides whether a person is asked first. Such an agent
 * cannot be parked: without a decision the refusal asks it to call again.
 */
export const OUTSIDE_TASK: CallRules = {
  canPark: false,
  settleUnrecorded: settleUnrecordedOfAgent,
  authorize,
  getCall: (queries, id) => queries.getAgentCall(id),
  record: recordAgentAnswer,
  listForwarded: (queries) => queries.listForwardedAgentCalls(),
  async take(unit, id, sentBy) {
    const call = await unit.getAgentCall(id);
    if (call) await unit.updateAgentCall({ ...call, sentBy, handedTo: null }, call);
  },
  findLost: findLostAgentCall,
  markDelivery: (unit, id, delivery) => unit.markAgentCallDelivery(id, delivery),
};

async function authorize(
  core: Core,
  unit: UnitOfWork,
  call: GatewayCall,
  attempt: Attempt,
): Promise<CallVerdict> {
  const { agentId, tool, args } = call;
  const agent = await requireAgent(unit, agentId);
  if (isSettled(agent)) throw agentEnded(agentId);
  if (!tool.isReadOnly) await requireNotStopped(unit, agentId);
  const earlier = await findEarlier(core, unit, call, attempt);
  if (earlier) return earlier;
  const wants = { agent, tool, args };
  const authorized = await authorizeAgentCall(core, unit, wants);
  switch (authorized.kind) {
    case "wait":
      // While a stop is open, a read-only call may pass, but no person is asked for it.
      await requireNotStopped(unit, agentId);
      return authorized;
    case "took_effect":
      await useApproval(unit, authorized.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(authorized.approval.decidedBy) };
    case "pass": {
      const { approval } = authorized;
      if (approval === null) await noteEarlierReceived(core, unit, agentId);
      return {
        kind: "send",
        ...(await recordAgentCallIntent(core, unit, attempt.id, wants, approval)),
      };
    }
  }
}

/**
 * An agent that makes a call which is not stored has received the answers of its earlier calls. With one
 * process `sendUnstored` remembers it. Concurrent calls prove no such order.
 */
async function noteEarlierReceived(core: Core, unit: UnitOfWork, agentId: AgentId): Promise<void> {
  if (core.calls.serverId === null) return;
  const calls = await unit.listAgentCalls(agentId);
  const last = calls.at(-1);
  const isAlone =
    core.calls.ofAgents(new Set([agentId])).length === 1 &&
    calls.every(({ status }) => status !== "forwarded");
  if (last && isAlone) await unit.markAgentCallDelivery(last.id, "delivered");
}

/** The same call was sent before: this one gets its answer too, now or when it arrives. */
async function findEarlier(
  core: Core,
  unit: UnitOfWork,
  call: GatewayCall,
  attempt: Attempt,
): Promise<CallVerdict | undefined> {
  const { agentId, tool } = call;
  const { waitedFor } = attempt;
  const calls = await unit.listAgentCalls(agentId);
  if (calls.length === 0) return undefined;
  const shared = waitedFor && (await findShared(unit, calls, waitedFor));
  if (shared) return { kind: "shared", call: shared };
  if (tool.isReadOnly) return undefined;
  const argsHash = core.tokens.hash(canonicalJson(call.args));
  const last = calls.findLast(
    (each) => each.server === tool.server && each.tool === tool.name && each.argsHash === argsHash,
  );
  if (last?.status === "forwarded" && isUnderWay(core, agentId, last)) {
    return { kind: "shared", call: last };
  }
  // The answer went to a broken connection, or a daemon died before it was delivered.
  const isUndelivered = last && last === calls.at(-1) && !core.calls.hasAnswered(agentId);
  const answered = isUndelivered ? await unit.getAgentCall(last.id) : undefined;
  if (!answered || !isAnswered(answered)) return undefined;
  return repeatOf(core, answered, attempt, replayOf);
}

/** With several servers another one may have it in flight, or the row would have been settled. */
function isUnderWay({ calls }: Core, agentId: AgentId, { id }: AgentCallHead): boolean {
  if (calls.serverId !== null) return true;
  return calls.ofAgents(new Set([agentId])).some((each) => each.id === id);
}

async function findShared(
  unit: UnitOfWork,
  calls: readonly AgentCallHead[],
  approvalId: ApprovalId,
): Promise<AgentCallHead | undefined> {
  const approval = await unit.getApproval(approvalId);
  const isSingle = approval?.choice?.scope !== "any_arguments" && approval?.kind !== "outcome";
  if (approval?.usedAt == null || !isSingle) return undefined;
  return calls.findLast((call) => call.approvalId === approvalId);
}
