import { runFresh } from "../../base/run-fresh.ts";
import { truncate } from "../../base/truncate.ts";
import { isSettled } from "../../domain/agents/agent.ts";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import type { UpstreamProgress, UpstreamTool } from "../ports/upstream.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { IN_EXECUTION } from "./call-in-execution.ts";
import { OUTSIDE_TASK } from "./call-outside-task.ts";
import { CALL_EVENTS } from "./find-earlier-answer.ts";
import { forwardCall, sendLimit } from "./forward-call.ts";
import type { CallRules } from "./gateway-call.ts";
import { idempotencyKeyOf } from "./record-call-intent.ts";

/** A message between servers is short. */
const MAX_MESSAGE_CHARS = 500;

/** Carries out the calls of other servers for the upstream servers that this one runs for all. */
export function carryOutCalls(core: Core): { stop(): void } {
  const { placement } = core;
  if (!placement) return { stop() {} };
  const look = runFresh(() =>
    takeAll(core).catch((error: unknown) =>
      core.log.error("Calls of other servers could not be read.", { error: String(error) }),
    ),
  );
  const unsubscribe = core.events.on(CALL_EVENTS, ({ data }) => {
    if (data.status === "forwarded" && placement.isOwner(data.server)) void look();
  });
  return { stop: unsubscribe };
}

async function takeAll(core: Core): Promise<void> {
  for (const rules of [IN_EXECUTION, OUTSIDE_TASK]) {
    const forwarded = await rules.listForwarded(core.store);
    for (const call of forwarded.filter(({ handedTo }) => handedTo === core.calls.serverId)) {
      void carryOut(core, rules, call).catch((error: unknown) =>
        core.log.error("A call of another server could not be carried out.", {
          id: call.id,
          error: String(error),
        }),
      );
    }
  }
}

async function carryOut(core: Core, rules: CallRules, call: AgentCall): Promise<void> {
  const { id, agentId, server, tool } = call;
  if (core.calls.all().some((each) => each.id === id)) return;
  const abort = new AbortController();
  // Both before the transaction, so that a later stop or cancellation always finds it.
  const leave = core.calls.enter({ id, agentId, server, tool, abort });
  const unsubscribe = core.store.serverMessages?.on((message) => {
    const isMeant = message.type === "cancel_call" && message.callId === id;
    if (isMeant && message.from === call.sentBy) abort.abort();
  });
  try {
    const mayStillSend = sendLimit(core);
    const taken = await core.store.transaction((unit) => take(core, unit, rules, call));
    if (!taken) return;
    const sending = {
      ...taken,
      agentId,
      args: JSON.parse(call.args),
      signal: abort.signal,
      mayStillSend,
      onProgress: (progress: UpstreamProgress) => passOn(core, id, progress),
      beat() {},
    };
    await forwardCall(core, sending, (unit, end) => rules.record(core, unit, id, end));
  } catch (error) {
    // The end is stored; the server that handed the call over tells the agent.
    if (!(error instanceof Refusal)) throw error;
  } finally {
    unsubscribe?.();
    leave();
  }
}

/** To the server that handed the call over. */
function passOn({ store }: Core, callId: string, progress: UpstreamProgress): void {
  const { message } = progress;
  const short = message === undefined ? {} : { message: truncate(message, MAX_MESSAGE_CHARS) };
  store.serverMessages?.send({
    type: "call_progress",
    callId,
    progress: { ...progress, ...short },
  });
}

/** A stop is committed before it and refuses the call, or finds the call in flight here. */
async function take(
  core: Core,
  unit: UnitOfWork,
  rules: CallRules,
  { id, agentId, server, tool: name }: AgentCall,
): Promise<{ readonly tool: UpstreamTool; readonly idempotencyKey: string } | undefined> {
  const call = await rules.getCall(unit, id);
  const tool = toolOf(core, server, name);
  const { serverId } = core.calls;
  const isOurs = call?.status === "forwarded" && call.handedTo === serverId;
  if (!isOurs || serverId === null || !tool) return undefined;
  if (!(await mayBegin(unit, agentId, tool))) {
    const error = "It was stopped before it was sent.";
    await rules.record(core, unit, id, { event: "cancelled", answer: null, error, isUnsent: true });
    return undefined;
  }
  await rules.take(unit, id, serverId);
  const approval = call.approvalId === null ? null : await unit.getApproval(call.approvalId);
  return {
    tool,
    idempotencyKey: await idempotencyKeyOf(unit, id, approval ?? null, rules.findLost),
  };
}

function toolOf({ upstream }: Core, server: string, name: string): UpstreamTool | undefined {
  const found = upstream.servers().find((each) => each.name === server);
  return found?.tools.find((tool) => tool.name === name);
}

async function mayBegin(
  unit: UnitOfWork,
  agentId: AgentCall["agentId"],
  tool: UpstreamTool,
): Promise<boolean> {
  const agent = await unit.getAgent(agentId);
  if (!agent || isSettled(agent)) return false;
  if (tool.isReadOnly) return true;
  try {
    await requireNotStopped(unit, agentId);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
