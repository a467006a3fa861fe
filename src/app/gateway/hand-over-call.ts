import { setTimeout as delay } from "node:timers/promises";
import type { AgentCall } from "../../domain/gateway/tool-call.ts";
import type { ToolCallId } from "../../domain/ids.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UpstreamAnswer } from "../ports/upstream.ts";
import { STOP_CONFIRMED_WITHIN_MS } from "../servers/confirm-stop.ts";
import { outcomeUnknown } from "./call-refusals.ts";
import { replayOf, untilAnswered } from "./find-earlier-answer.ts";
import { whyStopped } from "./forward-call.ts";
import type { CallRules, GatewayCall } from "./gateway-call.ts";
import { NOT_KEPT } from "./record-answer.ts";

const LOOK_EVERY_MS = 20;
/** A message to the owner may get lost, for example while its connection is opened again. */
const CANCEL_AGAIN_MS = 1_000;
const CANCEL_TRIES = 5;
const UNDER_WAY = { en: "It is under way.", ja: "実行中です。" };

export type HandedCall = {
  readonly call: GatewayCall;
  readonly rules: CallRules;
  readonly id: ToolCallId;
  /** The server that runs the upstream server. */
  readonly owner: string;
  /** Aborted by a stop, too. */
  readonly signal: AbortSignal;
};

/**
 * Another server runs the upstream server and carries out the call of the committed intent. It takes
 * the call in a transaction that a stop cannot overtake, sends it and stores the answer.
 */
export async function handOverCall(core: Core, handed: HandedCall): Promise<UpstreamAnswer> {
  const { call, id } = handed;
  const unsubscribe = core.store.serverMessages?.on((message) => {
    if (message.type === "call_progress" && message.callId === id)
      call.onProgress(message.progress);
  });
  try {
    const isTaken = await untilTaken(core, handed);
    if (!isTaken && !handed.signal.aborted) throw await notTaken(core, handed);
    const ended = await untilEnded(core, handed);
    if (!ended || ended.status === "forwarded") throw outcomeUnknown(UNDER_WAY);
    if (ended.answer !== null || ended.error === NOT_KEPT) return replayOf(ended);
    throw await refusalFor(core, call, ended);
  } finally {
    unsubscribe?.();
  }
}

/** False: it was not taken in time, or stopped before, and will not be sent. */
async function untilTaken(core: Core, { rules, id, signal }: HandedCall): Promise<boolean> {
  const until = performance.now() + STOP_CONFIRMED_WITHIN_MS;
  for (;;) {
    if (!isWaiting(await rules.getCall(core.store, id))) return true;
    if (signal.aborted || performance.now() > until) break;
    await delay(LOOK_EVERY_MS);
  }
  return core.store.transaction(async (unit) => {
    if (!isWaiting(await rules.getCall(unit, id))) return true;
    const error = "No server took it.";
    const event = signal.aborted ? "cancelled" : "failed";
    await rules.record(core, unit, id, { event, answer: null, error, isUnsent: true });
    return false;
  });
}

/**
 * A call that its caller has cancelled is cancelled at the owner. The call is still `forwarded` if the
 * caller is only cut off and wants the answer later, or if the owner does not answer.
 */
async function untilEnded(core: Core, handed: HandedCall): Promise<AgentCall | undefined> {
  const { call, rules, id, signal } = handed;
  const read = () => rules.getCall(core.store, id);
  let seen = await untilAnswered(core, id, read, call.signal);
  const from = core.calls.serverId;
  for (let tries = 0; tries < CANCEL_TRIES; tries++) {
    if (seen?.status !== "forwarded" || !signal.aborted) break;
    // This server has closed the connection of the caller, which will call again.
    if (from === null || core.calls.isStopping()) break;
    core.store.serverMessages?.send({ type: "cancel_call", callId: id, from });
    seen = await untilAnswered(core, id, read, AbortSignal.timeout(CANCEL_AGAIN_MS));
  }
  return seen;
}

function isWaiting(call: AgentCall | undefined): boolean {
  return call?.status === "forwarded" && call.handedTo !== null;
}

async function notTaken(core: Core, { call, owner }: HandedCall): Promise<Refusal> {
  const { server } = call.tool;
  const known = (await core.servers?.list())?.find(({ id }) => id === owner);
  const name = known ? `${known.host} (${owner})` : owner;
  return new Refusal("UPSTREAM_UNAVAILABLE", {
    en: [
      `${server} runs on the server ${name} for all servers, and that server did not answer.`,
      "Nothing was sent. Try again in a moment: if that server is gone, another one starts it. If it stays, say so in your report.",
    ],
    ja: [
      `${server} は、サーバー ${name} が全体のために動かしていますが、そのサーバーが応答しません。`,
      "何も送っていません。少し待ってもう一度試してください。そのサーバーが落ちていれば、別のサーバーが起動します。続くようなら報告に書いてください。",
    ],
  });
}

async function refusalFor(core: Core, { agentId, tool }: GatewayCall, ended: AgentCall) {
  const stopped = tool.isReadOnly ? undefined : await whyStopped(core, agentId);
  if (stopped) return stopped;
  const message = ended.error ?? "It was not carried out.";
  if (ended.status === "outcome_unknown") return outcomeUnknown({ en: message, ja: message });
  return new Refusal("UPSTREAM_FAILED", {
    en: [message, "Correct the arguments or try again in a moment; if it stays, say so."],
    ja: [
      message,
      "引数を直すか、少し待ってもう一度試してください。続くようなら報告に書いてください。",
    ],
  });
}
