import type { ToolCall } from "../../domain/gateway/tool-call.ts";
import type { ApprovalId, ToolCallId } from "../../domain/ids.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import type { AgentIdentity, Core, Identity } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { UpstreamAnswer } from "../ports/upstream.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { authorizeCallIn } from "./authorize-call.ts";
import type { CallAuthorization } from "./call-case.ts";
import { callOutsideTask } from "./call-outside-task.ts";
import { outcomeUnknown } from "./call-refusals.ts";
import {
  findDoneBeforeIn,
  findSharedIn,
  findUnderWayIn,
  findUndeliveredIn,
  replayOf,
  sharedAnswer,
} from "./find-earlier-answer.ts";
import { forwardCall } from "./forward-call.ts";
import {
  noteDelivery,
  tookEffect,
  whileInFlight,
  type CallUpstreamTool,
  type GatewayCall,
} from "./gateway-call.ts";
import { holdCall } from "./hold-call.ts";
import { resolveAgentTool, unknownTool, type AgentTool } from "./list-agent-tools.ts";
import { recordAnswerIn } from "./record-answer.ts";
import { recordCallIntentIn, useIn, type Admission } from "./record-call-intent.ts";
import { settleUnrecorded } from "./settle-unrecorded.ts";

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
  const call: GatewayCall = { ...input, agentId, role, tool };
  return executionId == null ? callOutsideTask(core, call) : callForExecution(core, call);
}

async function callForExecution(core: Core, call: GatewayCall): Promise<UpstreamAnswer> {
  const since = core.clock.now();
  let waitedFor: ApprovalId | undefined;
  for (;;) {
    const tried = await tryCall(core, call, waitedFor);
    switch (tried.kind) {
      case "answer":
        return tried.answer;
      case "shared": {
        const { id } = tried.call;
        const read = () => core.store.getToolCall(id);
        const answer = await sharedAnswer(core, id, read, call.signal);
        if (answer) return answer;
        // The caller has gone: no person is asked for it.
        if (call.signal.aborted) throw outcomeUnknown("It is under way.");
        waitedFor = undefined;
        break;
      }
      case "wait":
        waitedFor = tried.approval.id;
        await holdCall(core, tried.approval, { ...call, since, canPark: true });
        // In the meantime its server may have made something else of it.
        await resolveAgentTool(core, call.role, call.name);
    }
  }
}

type Answer = {
  readonly kind: "answer";
  readonly answer: UpstreamAnswer;
  readonly isRedelivered?: true;
};
/** Another call waited for the same approval and was let through. */
type Shared = { readonly kind: "shared"; readonly call: ToolCall };
type Wait = Extract<CallAuthorization, { kind: "wait" }>;
type Send = Admission & { readonly kind: "send" };

function tryCall(
  core: Core,
  call: GatewayCall,
  waitedFor: ApprovalId | undefined,
): Promise<Answer | Shared | Wait> {
  return whileInFlight(core, call, async (id, signal) => {
    await settleUnrecorded(core, call);
    const authorized = await core.store.transaction((unit) =>
      authorizeIn(core, unit, call, { id, waitedFor }),
    );
    if (authorized.kind === "answer" && authorized.isRedelivered) noteDelivery(core, call);
    if (authorized.kind === "answer" || authorized.kind === "shared") return authorized;
    core.live.publish(authorized.events);
    if (authorized.kind === "wait") return authorized;
    const { call: row, idempotencyKey } = authorized;
    const answer = await forwardCall(core, { ...call, idempotencyKey, signal }, (unit, end) =>
      recordAnswerIn(core, unit, row.id, end),
    );
    noteDelivery(core, call);
    return { kind: "answer", answer };
  });
}

/** One transaction: a stop of the agent comes before it, or finds the call under way. */
async function authorizeIn(
  core: Core,
  unit: UnitOfWork,
  { agentId, tool, args }: GatewayCall,
  { id, waitedFor }: { readonly id: ToolCallId; readonly waitedFor: ApprovalId | undefined },
): Promise<Answer | Shared | Wait | Send> {
  const ref = { server: tool.server, tool: tool.name };
  const isCheckDemanded = tool.humanCheck === "always";
  const wanted = { agentId, ref, args, isReadOnly: tool.isReadOnly, isCheckDemanded };
  const shared = waitedFor && (await findSharedIn(unit, waitedFor));
  if (shared) return { kind: "shared", call: shared };
  const twin = await findUnderWayIn(core, unit, wanted, canonicalJson(args));
  if (twin) return { kind: "shared", call: twin };
  const undelivered = await findUndeliveredIn(core, unit, wanted, canonicalJson(args));
  if (undelivered) {
    await requireNotStopped(unit, agentId);
    return { kind: "answer", answer: replayOf(undelivered), isRedelivered: true };
  }
  const before = await findDoneBeforeIn(unit, wanted, canonicalJson(args));
  if (before) {
    await requireNotStopped(unit, agentId);
    return { kind: "answer", answer: replayOf(before) };
  }
  const authorized = await authorizeCallIn(core, unit, wanted);
  switch (authorized.kind) {
    case "wait":
      return authorized;
    case "took_effect":
      await useIn(unit, authorized.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(authorized.approval.decidedBy) };
    case "pass": {
      const intent = { id, wanted, server: tool.server, agentId };
      return { kind: "send", ...(await recordCallIntentIn(core, unit, authorized, intent)) };
    }
  }
}
