import { setTimeout as delay } from "node:timers/promises";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { ToolCallId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import type { Attempt, CallRules, CallVerdict, GatewayCall } from "./gateway-call.ts";

/** After this time without a word from the server that answered, the answer counts as lost. */
const DELIVERY_KNOWN_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 20;

type Noted = {
  readonly call: GatewayCall;
  readonly rules: CallRules;
  readonly id: ToolCallId;
  /** The answer of another call in flight: its own server says whether its caller got it. */
  readonly isShared?: boolean;
};

/**
 * Remembers whether the answer reached the agent: a repeat of a call whose answer did not arrive gets
 * that answer, any other repeat is a new call. With several servers it is stored after the answer was
 * handed over; a crash in between leaves it unknown, and then the answer counts as lost.
 */
export function noteDelivery(core: Core, { call, rules, id, isShared = false }: Noted): void {
  const { agentId, signal, tool } = call;
  if (core.calls.serverId === null) {
    if (isShared) return;
    return signal.aborted ? core.calls.forget(agentId) : core.calls.answered(agentId);
  }
  if (tool.isReadOnly) return;
  const done = core.calls.deliver(id);
  const note = (isDelivered: boolean): void => {
    if (isDelivered || !isShared) void store(core, rules, id, isDelivered).finally(done);
    else done();
  };
  if (call.onDelivery) call.onDelivery(note);
  else setImmediate(() => note(!signal.aborted));
}

async function store(
  core: Core,
  rules: CallRules,
  id: ToolCallId,
  isDelivered: boolean,
): Promise<void> {
  try {
    await core.store.transaction((unit) =>
      rules.markDelivery(unit, id, isDelivered ? "delivered" : "cut"),
    );
  } catch (error) {
    core.log.warn("It could not be stored whether an answer was delivered.", {
      id,
      error: String(error),
    });
  }
}

/**
 * The verdict about a repeat of the agent's last call, which was answered. undefined: the agent got the
 * answer, so this is a new call.
 */
export function repeatOf(
  { calls }: Pick<Core, "calls">,
  answered: AgentCall,
  { undeliveredId }: Attempt,
  replay: (call: AgentCall) => Extract<CallVerdict, { kind: "answer" }>["answer"],
): CallVerdict | undefined {
  const { id, delivery, sentBy } = answered;
  if (delivery === "delivered") return undefined;
  // An earlier repeat may just be getting an answer whose first delivery was cut.
  const isBegun = delivery === null || calls.isDelivering(id);
  const isKnown = !isBegun || sentBy === null || calls.serverId === null;
  if (!isKnown && id !== undeliveredId) return { kind: "being_delivered", call: answered };
  return { kind: "answer", answer: replay(answered), redelivers: id };
}

/** The server that answered says soon after whether the agent got the answer, unless it has died. */
export async function untilDeliveryKnown(
  { calls }: Pick<Core, "calls">,
  read: () => Promise<AgentCall | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + DELIVERY_KNOWN_WITHIN_MS;
  while (!signal.aborted && performance.now() < until) {
    const call = await read();
    if (!call || call.delivery === "delivered") return;
    if (call.delivery === "cut" && !calls.isDelivering(call.id)) return;
    await delay(LOOK_EVERY_MS);
  }
}
