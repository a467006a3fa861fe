import { isSettled } from "../../domain/agents/agent.ts";
import type { AgentCallHead } from "../../domain/gateway/tool-call.ts";
import type { ApprovalId, ToolCallId } from "../../domain/ids.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { requireAgent } from "../agents/require-agent.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { UpstreamAnswer } from "../ports/upstream.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { agentEnded } from "./ask-human.ts";
import { authorizeAgentCallIn, type AgentCallAuthorization } from "./authorize-agent-call.ts";
import { outcomeUnknown } from "./call-refusals.ts";
import { isAnswered, replayOf, sharedAnswer } from "./find-earlier-answer.ts";
import { forwardCall, sendOnly, type Sending } from "./forward-call.ts";
import { noteDelivery, tookEffect, whileInFlight, type GatewayCall } from "./gateway-call.ts";
import { holdCall } from "./hold-call.ts";
import { resolveAgentTool } from "./list-agent-tools.ts";
import { recordAgentAnswerIn } from "./record-agent-answer.ts";
import { recordAgentCallIntentIn, type AgentAdmission } from "./record-agent-call-intent.ts";
import { useIn } from "./record-call-intent.ts";
import { settleUnrecordedOfAgent } from "./settle-unrecorded.ts";

/**
 * A call of an agent that works on no execution: started by run_agents, run_sequential or
 * run_magentic. Its role's list says what it may call, the human check of the tool whether a person
 * looks first. It cannot be parked: without a decision the answer asks it to call again, for as long as it
 * lives.
 */
export async function callOutsideTask(core: Core, call: GatewayCall): Promise<UpstreamAnswer> {
  const since = core.clock.now();
  let waitedFor: ApprovalId | undefined;
  let { tool } = call;
  for (;;) {
    const tried = await tryCall(core, { ...call, tool }, waitedFor);
    switch (tried.kind) {
      case "answer":
        return tried.answer;
      case "shared": {
        const { id } = tried.call;
        const read = () => core.store.getAgentCall(id);
        const answer = await sharedAnswer(core, id, read, call.signal);
        if (answer) return answer;
        if (call.signal.aborted) throw outcomeUnknown("It is under way.");
        waitedFor = undefined;
        break;
      }
      case "wait":
        waitedFor = tried.approval.id;
        await holdCall(core, tried.approval, { ...call, since, canPark: false });
        // Its server or the configuration may have changed it in the meantime.
        ({ tool } = await resolveAgentTool(core, call.role, call.name));
    }
  }
}

type Answer = {
  readonly kind: "answer";
  readonly answer: UpstreamAnswer;
  readonly isRedelivered?: true;
};
/** The same call is under way, or used up the approval this one waited for. */
type Shared = { readonly kind: "shared"; readonly call: AgentCallHead };
type Wait = Extract<AgentCallAuthorization, { kind: "wait" }>;
type Send = AgentAdmission & { readonly kind: "send" };

function tryCall(
  core: Core,
  call: GatewayCall,
  waitedFor: ApprovalId | undefined,
): Promise<Answer | Shared | Wait> {
  return whileInFlight(core, call, async (id, signal) => {
    await settleUnrecordedOfAgent(core, call);
    const authorized = await core.store.transaction((unit) =>
      authorizeIn(core, unit, call, { id, waitedFor }),
    );
    if (authorized.kind === "answer" && authorized.isRedelivered) noteDelivery(core, call);
    if (authorized.kind === "answer" || authorized.kind === "shared") return authorized;
    core.live.publish(authorized.events);
    if (authorized.kind === "wait") return authorized;
    const sending = { ...call, idempotencyKey: authorized.idempotencyKey, signal };
    const { call: row } = authorized;
    if (row === null) return { kind: "answer", answer: await sendUnstored(core, call, sending) };
    const answer = await forwardCall(core, sending, (unit, end) =>
      recordAgentAnswerIn(core, unit, row.id, end),
    );
    noteDelivery(core, call);
    return { kind: "answer", answer };
  });
}

/**
 * An unchecked call. The agent that makes it after a checked one has the answer of that one: the
 * checked call, made once more, is a new one. A call made beside others shows nothing of the kind.
 */
async function sendUnstored(
  core: Core,
  { agentId }: GatewayCall,
  sending: Sending,
): Promise<UpstreamAnswer> {
  const isAlone = core.calls.ofAgents(new Set([agentId])).length === 1;
  try {
    return await sendOnly(core, sending);
  } finally {
    if (isAlone) core.calls.answered(agentId);
  }
}

/** One transaction: a stop of the agent comes before it, or finds the call under way. */
async function authorizeIn(
  core: Core,
  unit: UnitOfWork,
  call: GatewayCall,
  { id, waitedFor }: { readonly id: ToolCallId; readonly waitedFor: ApprovalId | undefined },
): Promise<Answer | Shared | Wait | Send> {
  const { agentId, tool, args } = call;
  const agent = await requireAgent(unit, agentId);
  if (isSettled(agent)) throw agentEnded(agentId);
  if (!tool.isReadOnly) await requireNotStopped(unit, agentId);
  const earlier = await findEarlierIn(core, unit, call, waitedFor);
  if (earlier) return earlier;
  const wants = { agent, tool, args };
  const authorized = await authorizeAgentCallIn(core, unit, wants);
  switch (authorized.kind) {
    case "wait":
      // A read-only call may be made while a stop is open, but no person is asked for it.
      await requireNotStopped(unit, agentId);
      return authorized;
    case "took_effect":
      await useIn(unit, authorized.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(authorized.approval.decidedBy) };
    case "pass":
      return {
        kind: "send",
        ...(await recordAgentCallIntentIn(core, unit, id, wants, authorized.approval)),
      };
  }
}

/** The same call was let through before and its answer is, or will be, this one's too. */
async function findEarlierIn(
  core: Core,
  unit: UnitOfWork,
  call: GatewayCall,
  waitedFor: ApprovalId | undefined,
): Promise<Answer | Shared | undefined> {
  const { agentId, tool } = call;
  const calls = await unit.listAgentCalls(agentId);
  if (calls.length === 0) return undefined;
  const shared = waitedFor && (await findSharedIn(unit, calls, waitedFor));
  if (shared) return { kind: "shared", call: shared };
  if (tool.isReadOnly) return undefined;
  const argsHash = core.tokens.hash(canonicalJson(call.args));
  const last = calls.findLast(
    (each) => each.server === tool.server && each.tool === tool.name && each.argsHash === argsHash,
  );
  const inFlight = core.calls.ofAgents(new Set([agentId]));
  if (last?.status === "forwarded" && inFlight.some(({ id }) => id === last.id)) {
    return { kind: "shared", call: last };
  }
  // Its answer went to a connection that broke, or came from a daemon that died.
  const isUndelivered = last && last === calls.at(-1) && !core.calls.hasAnswered(agentId);
  const answered = isUndelivered ? await unit.getAgentCall(last.id) : undefined;
  if (!answered || !isAnswered(answered)) return undefined;
  return { kind: "answer", answer: replayOf(answered), isRedelivered: true };
}

async function findSharedIn(
  unit: UnitOfWork,
  calls: readonly AgentCallHead[],
  approvalId: ApprovalId,
): Promise<AgentCallHead | undefined> {
  const approval = await unit.getApproval(approvalId);
  const isSingle = approval?.choice?.scope !== "any_arguments" && approval?.kind !== "outcome";
  if (approval?.usedAt == null || !isSingle) return undefined;
  return calls.findLast((call) => call.approvalId === approvalId);
}
