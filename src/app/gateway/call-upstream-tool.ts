import type { ApprovalId, ToolCallId } from "../../domain/ids.ts";
import type { AgentIdentity, Core, Identity } from "../core.ts";
import type { UpstreamAnswer } from "../ports/upstream.ts";
import { IN_EXECUTION } from "./call-in-execution.ts";
import { OUTSIDE_TASK } from "./call-outside-task.ts";
import { outcomeUnknown } from "./call-refusals.ts";
import { decideWhenStarted } from "./decide-when-started.ts";
import { sharedAnswer } from "./find-earlier-answer.ts";
import { forwardCall, sendOnly, type Sending } from "./forward-call.ts";
import {
  whileInFlight,
  type CallRules,
  type Attempt,
  type CallUpstreamTool,
  type CallVerdict,
  type GatewayCall,
} from "./gateway-call.ts";
import { handOverCall } from "./hand-over-call.ts";
import { holdCall } from "./hold-call.ts";
import { resolveAgentTool, unknownTool, type AgentTool } from "./list-agent-tools.ts";
import { noteDelivery, untilDeliveryKnown } from "./note-delivery.ts";

/** An agent and the tool that its role may call. */
export type AuthorizedCall = { readonly agent: AgentIdentity; readonly tool: AgentTool };

/** Only agents have upstream tools; for others no name is known. */
export async function authorizeUpstreamCall(
  core: Core,
  identity: Identity,
  name: string,
): Promise<AuthorizedCall> {
  if (identity.kind !== "agent") throw unknownTool(core, name, []);
  return { agent: identity, tool: await resolveAgentTool(core, identity.role, name) };
}

/**
 * An agent calls a tool behind the gateway. In an execution the approved process decides whether the
 * call is sent; outside one, the human checks of the configuration do. An agent that was asked to
 * stop may only read.
 */
export async function callUpstreamTool(
  core: Core,
  { agent: { agentId, role, executionId: known }, tool: { tool } }: AuthorizedCall,
  input: CallUpstreamTool,
): Promise<UpstreamAnswer> {
  const executionId =
    known === undefined ? (await core.store.getAgent(agentId))?.executionId : known;
  const rules = executionId == null ? OUTSIDE_TASK : IN_EXECUTION;
  return attemptUntilAnswered(core, { ...input, agentId, role, tool }, rules);
}

/** Attempts the call again after each wait for a person or for the same call in flight. */
async function attemptUntilAnswered(
  core: Core,
  received: GatewayCall,
  rules: CallRules,
): Promise<UpstreamAnswer> {
  const since = core.clock.now();
  let call = received;
  let waitedFor: ApprovalId | undefined;
  let undeliveredId: ToolCallId | undefined;
  for (;;) {
    const verdict = await attempt(core, call, rules, { waitedFor, undeliveredId });
    switch (verdict.kind) {
      case "answer":
        return verdict.answer;
      case "shared": {
        const { id } = verdict.call;
        const answer = await sharedAnswer(
          core,
          id,
          () => rules.getCall(core.store, id),
          call.signal,
        );
        if (answer) {
          noteDelivery(core, { call, rules, id, isShared: true });
          return answer;
        }
        // The caller has disconnected, so don't ask a person.
        if (call.signal.aborted)
          throw outcomeUnknown({ en: "It is under way.", ja: "実行中です。" });
        waitedFor = undefined;
        break;
      }
      case "being_delivered": {
        const { id } = verdict.call;
        await untilDeliveryKnown(core, () => rules.getCall(core.store, id), call.signal);
        undeliveredId = id;
        break;
      }
      case "wait": {
        waitedFor = verdict.approval.id;
        await holdCall(core, verdict.approval, { ...call, since, canPark: rules.canPark });
        // The server or the configuration may have changed the tool meanwhile.
        const { tool } = await resolveAgentTool(core, call.role, call.name);
        call = { ...call, tool };
      }
    }
  }
}

function attempt(
  core: Core,
  call: GatewayCall,
  rules: CallRules,
  before: Omit<Attempt, "id">,
): Promise<Exclude<CallVerdict, { kind: "send" }>> {
  return whileInFlight(core, call, async (id, signal) => {
    await rules.settleUnrecorded(core, call);
    const { server } = call.tool;
    // One transaction: a stop of the agent is committed before it, or finds the call in flight.
    const { verdict, mayStillSend } = await decideWhenStarted(core, { server, signal }, (unit) =>
      rules.authorize(core, unit, call, { id, ...before }),
    );
    if (verdict.kind === "answer" && verdict.redelivers !== undefined) {
      noteDelivery(core, { call, rules, id: verdict.redelivers });
    }
    if (verdict.kind !== "send") return verdict;
    const sending = { ...call, idempotencyKey: verdict.idempotencyKey, signal, mayStillSend };
    const { call: row } = verdict;
    if (row === null) return { kind: "answer", answer: await sendUnstored(core, call, sending) };
    const { id: rowId, handedTo: owner } = row;
    const answer =
      owner === null
        ? await forwardCall(core, sending, (unit, end) => rules.record(core, unit, rowId, end))
        : await handOverCall(core, { call, rules, id: rowId, owner, signal });
    noteDelivery(core, { call, rules, id: row.id });
    return { kind: "answer", answer };
  });
}

/**
 * A call without a human check, outside a task. An agent that makes it has received the answers of
 * its earlier calls, so a repeat of one of those is a new call. Concurrent calls prove no such order.
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
    if (isAlone && core.calls.serverId === null) core.calls.answered(agentId);
  }
}
