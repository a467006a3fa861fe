import { canonicalJson } from "../domain/canonical.ts";
import type { AgentId, ApprovalId, ToolCallId } from "../domain/ids.ts";
import type { ToolCall } from "../domain/tool-call.ts";
import { admitCallIn, useIn, type Admission } from "./admit-call.ts";
import type { Judgement } from "./call-case.ts";
import { outcomeUnknown } from "./call-refusals.ts";
import type { Core, Identity } from "./core.ts";
import { forwardCall, sendOnly } from "./forward-call.ts";
import { holdCall, type Patience } from "./hold-call.ts";
import { judgeCallIn } from "./judge-call.ts";
import { resolveAgentTool } from "./list-agent-tools.ts";
import type { UnitOfWork } from "./ports/store.ts";
import type {
  JsonObject,
  UpstreamAnswer,
  UpstreamProgress,
  UpstreamTool,
} from "./ports/upstream.ts";
import {
  findDoneBeforeIn,
  findSharedIn,
  findUnderWayIn,
  findUndeliveredIn,
  replayOf,
  sharedAnswer,
} from "./replay-answer.ts";
import { requireNotStopped } from "./stop-requested.ts";

export type CallUpstreamTool = Patience & {
  /** As in tools/list. */
  readonly name: string;
  readonly args: JsonObject;
  onProgress(progress: UpstreamProgress): void;
};

/**
 * An agent calls a tool behind the gateway. In an execution the approved process says whether it
 * may; no call of an agent that was told to stop is sent.
 */
export async function callUpstreamTool(
  core: Core,
  identity: Identity,
  input: CallUpstreamTool,
): Promise<UpstreamAnswer> {
  const { tool } = await resolveAgentTool(
    core,
    identity.kind === "agent" ? identity.role : "",
    input.name,
  );
  // Nobody but agents has upstream tools, so this one was not found.
  if (identity.kind === "main") throw new Error(`${input.name} was found for a client.`);
  const executionId =
    identity.executionId === undefined
      ? (await core.store.getAgent(identity.agentId))?.executionId
      : identity.executionId;
  const call: GatewayCall = { ...input, agentId: identity.agentId, role: identity.role, tool };
  return executionId == null ? callFreely(core, call) : callForExecution(core, call);
}

type GatewayCall = CallUpstreamTool & {
  readonly agentId: AgentId;
  readonly role: string;
  readonly tool: UpstreamTool;
};

/** On nobody's execution: the role's list was the whole policy. */
async function callFreely(core: Core, call: GatewayCall): Promise<UpstreamAnswer> {
  return whileInFlight(core, call, async (id, signal) => {
    if (!call.tool.isReadOnly) await requireNotStopped(core.store, call.agentId);
    return sendOnly(core, { ...call, idempotencyKey: id, signal });
  });
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
        const answer = await sharedAnswer(core, tried.call, call.signal);
        if (answer) return answer;
        // For who has gone nobody is asked.
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
type Wait = Extract<Judgement, { kind: "wait" }>;
type Send = Admission & { readonly kind: "send" };

function tryCall(
  core: Core,
  call: GatewayCall,
  waitedFor: ApprovalId | undefined,
): Promise<Answer | Shared | Wait> {
  return whileInFlight(core, call, async (id, signal) => {
    const judged = await core.store.transaction((unit) =>
      judgeIn(core, unit, call, { id, waitedFor }),
    );
    if (judged.kind === "answer" && judged.isRedelivered) noteDelivery(core, call);
    if (judged.kind === "answer" || judged.kind === "shared") return judged;
    core.live.publish(judged.events);
    if (judged.kind === "wait") return judged;
    const { call: row, idempotencyKey } = judged;
    const answer = await forwardCall(core, row, { ...call, idempotencyKey, signal });
    noteDelivery(core, call);
    return { kind: "answer", answer };
  });
}

/** One transaction: whoever stops the agent does so before it, or finds the call under way. */
async function judgeIn(
  core: Core,
  unit: UnitOfWork,
  { agentId, tool, args }: GatewayCall,
  { id, waitedFor }: { readonly id: ToolCallId; readonly waitedFor: ApprovalId | undefined },
): Promise<Answer | Shared | Wait | Send> {
  const ref = { server: tool.server, tool: tool.name };
  const wanted = { agentId, ref, args, isReadOnly: tool.isReadOnly };
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
  const judged = await judgeCallIn(core, unit, wanted);
  switch (judged.kind) {
    case "wait":
      return judged;
    case "took_effect":
      await useIn(unit, judged.approval, core.clock.now());
      return { kind: "answer", answer: tookEffect(judged.approval.decidedBy) };
    case "pass": {
      const intent = { id, wanted, server: tool.server, agentId };
      return { kind: "send", ...(await admitCallIn(core, unit, judged, intent)) };
    }
  }
}

/** Entered before the intent is committed: a stop committed after it always finds it here. */
async function whileInFlight<Done>(
  core: Core,
  { agentId, tool, signal }: GatewayCall,
  work: (id: ToolCallId, signal: AbortSignal) => Promise<Done>,
): Promise<Done> {
  const id = `call-${core.random.ulid(core.clock.now())}` as const;
  const abort = new AbortController();
  const leave = core.calls.enter({ id, agentId, server: tool.server, tool: tool.name, abort });
  const giveUp = (): void => abort.abort(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await work(id, abort.signal);
  } finally {
    signal.removeEventListener("abort", giveUp);
    leave();
  }
}

/** An answer to somebody who has gone is given again when the same call comes back. */
function noteDelivery(core: Core, { agentId, signal }: GatewayCall): void {
  if (signal.aborted) core.calls.forget(agentId);
  else core.calls.answered(agentId);
}

function tookEffect(by: string | null): UpstreamAnswer {
  const text = `${by ?? "A person"} confirmed that this call took effect; its answer was lost. It was not made again. Go on with the next step.`;
  return { content: [{ type: "text", text }], isError: false };
}
