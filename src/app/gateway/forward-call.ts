import { truncate } from "../../base/truncate.ts";
import { cleanAnswer, cleanText } from "../../domain/gateway/clean-answer.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isLargerThan } from "../../domain/text/json-size.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import {
  UpstreamFault,
  type JsonObject,
  type UpstreamAnswer,
  type UpstreamProgress,
  type UpstreamTool,
} from "../ports/upstream.ts";
import { runInSteps } from "../run-in-steps.ts";
import { STOP_CONFIRMED_WITHIN_MS } from "../servers/confirm-stop.ts";
import { requireNotStopped } from "../tasks/interrupt/stop-requested.ts";
import { outcomeNotAsked, outcomeUnknown } from "./call-refusals.ts";
import { NOT_KEPT, type CallEnd } from "./record-answer.ts";
import { untilRecorded } from "./until-recorded.ts";

/** A longer answer is delivered but not stored. */
const MAX_KEPT_CHARS = 1_000_000;
/** A larger answer is not delivered: no agent could read it. */
const MAX_ANSWER = { chars: 8_000_000, values: 200_000 };
const MAX_ERROR_CHARS = 2_000;

export type Sending = {
  readonly agentId: AgentId;
  readonly tool: UpstreamTool;
  readonly args: JsonObject;
  /** Retries of a call have the same key. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** False: too much time has passed since the intent; a stop may have been acknowledged meanwhile. */
  mayStillSend(): boolean;
  onProgress(progress: UpstreamProgress): void;
  /** A progress notification for the waiting caller. */
  beat(message: string): void;
};

/**
 * Another server that blocks a task waits this long for calls in flight. A server that was paused
 * between intent and sending must not send the call afterwards.
 */
export function sendLimit({ calls: { serverId } }: Core): () => boolean {
  if (serverId === null) return () => true;
  const until = performance.now() + STOP_CONFIRMED_WITHIN_MS;
  return () => performance.now() < until;
}

export type RecordEnd = (unit: UnitOfWork, end: CallEnd) => Promise<void>;

/**
 * Sends the call of a committed intent, and stores its end before the agent gets the answer. If the
 * end cannot be stored, the row stays `forwarded` and settleUnrecorded asks a person about it.
 */
export async function forwardCall(
  core: Core,
  sending: Sending,
  record: RecordEnd,
): Promise<UpstreamAnswer> {
  const { tool, idempotencyKey: key } = sending;
  const sent = await trySend(core, sending);
  const end = endOf(sent, tool);
  await untilRecorded(core, {
    tool: `${tool.server}/${tool.name}`,
    key,
    beat: (message) => sending.beat(message),
    record: () => core.store.transaction((unit) => record(unit, end)),
  });
  if ("answer" in sent) return sent.answer;
  throw await refusalFor(core, sent.fault, sending, outcomeUnknown);
}

/** An unchecked call outside a task: its intent is audited, its end is not stored. */
export async function sendOnly(core: Core, sending: Sending): Promise<UpstreamAnswer> {
  const sent = await trySend(core, sending);
  if ("answer" in sent) return sent.answer;
  throw await refusalFor(core, sent.fault, sending, outcomeNotAsked);
}

type Sent = { readonly answer: UpstreamAnswer } | { readonly fault: UpstreamFault | "not_sent" };

async function trySend(core: Core, sending: Sending): Promise<Sent> {
  const { tool, args, signal, idempotencyKey } = sending;
  // The call was stopped after its intent was committed: do not send it.
  if (signal.aborted || !sending.mayStillSend()) return { fault: "not_sent" };
  try {
    const answer = await core.upstream.call({
      server: tool.server,
      tool: tool.name,
      args,
      signal,
      idempotencyKey,
      maySend: () => sending.mayStillSend(),
      onProgress: (progress) => sending.onProgress(cleanProgress(progress)),
    });
    if (!isLargerThan(answer, MAX_ANSWER)) return { answer: await runInSteps(cleanAnswer(answer)) };
    const message = `${tool.name} answered with more than ${MAX_ANSWER.chars} characters or ${MAX_ANSWER.values} values.`;
    return { fault: new UpstreamFault("too_large", message) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { fault: error };
    // After an unknown error the call may have been sent.
    return { fault: new UpstreamFault("lost", String(error)) };
  }
}

function cleanProgress(progress: UpstreamProgress): UpstreamProgress {
  return progress.message === undefined
    ? progress
    : { ...progress, message: cleanText(progress.message.slice(0, MAX_ERROR_CHARS)) };
}

function endOf(sent: Sent, tool: UpstreamTool): CallEnd {
  if ("answer" in sent) {
    const { answer } = sent;
    const json = JSON.stringify(answer);
    const kept = json.length <= MAX_KEPT_CHARS;
    return {
      event: answer.isError ? "failed" : "answered",
      answer: kept ? json : null,
      error: answer.isError ? errorTextOf(answer) : kept ? null : NOT_KEPT,
    };
  }
  const { fault } = sent;
  if (fault === "not_sent") {
    const error = "It was stopped before it was sent.";
    return { event: "cancelled", answer: null, error, isUnsent: true };
  }
  return {
    event: eventOf(fault, tool),
    answer: null,
    error: fault.kind === "too_large" ? NOT_KEPT : wordsOf(fault),
    isUnsent: fault.kind === "unavailable",
    isCancelled: fault.kind === "cancelled",
  };
}

function eventOf({ kind }: UpstreamFault, { isReadOnly }: UpstreamTool): CallEnd["event"] {
  switch (kind) {
    case "unavailable":
    case "rejected":
      return "failed";
    case "too_large":
      return "answered";
    case "cancelled":
      return isReadOnly ? "cancelled" : "answer_lost";
    case "timeout":
    case "lost":
      return isReadOnly ? "failed" : "answer_lost";
  }
}

function errorTextOf({ content }: UpstreamAnswer): string {
  const texts = content.flatMap((block) =>
    typeof block["text"] === "string" ? [block["text"].slice(0, MAX_ERROR_CHARS)] : [],
  );
  return texts.join("\n").slice(0, MAX_ERROR_CHARS) || "The tool answered with an error.";
}

function wordsOf({ message }: UpstreamFault): string {
  return truncate(cleanText(message.slice(0, MAX_ERROR_CHARS)), MAX_ERROR_CHARS);
}

async function refusalFor(
  core: Core,
  fault: UpstreamFault | "not_sent",
  { agentId, tool, signal }: Sending,
  lost: (why: Texts) => Refusal,
): Promise<Refusal> {
  if (signal.aborted && !tool.isReadOnly) {
    const stopped = await whyStopped(core, agentId);
    if (stopped) return stopped;
  }
  if (fault === "not_sent") {
    return new Refusal("UPSTREAM_FAILED", {
      en: ["The call was cancelled before it was sent.", AGAIN.en],
      ja: ["送る前に取り消されました。", AGAIN.ja],
    });
  }
  const message = wordsOf(fault);
  switch (fault.kind) {
    case "unavailable":
      return new Refusal("UPSTREAM_UNAVAILABLE", {
        en: [
          message,
          "Nothing was sent. Try again in a moment; if it stays, say so in your report.",
        ],
        ja: [
          message,
          "何も送っていません。少し待ってもう一度試し、続くようなら報告に書いてください。",
        ],
      });
    case "rejected":
      return new Refusal("UPSTREAM_FAILED", {
        en: [message, "Correct the arguments and call again, or say so in your report."],
        ja: [message, "引数を直してもう一度呼ぶか、報告に書いてください。"],
      });
    case "too_large":
      return new Refusal("UPSTREAM_ANSWER_TOO_LARGE", {
        en: [
          message,
          "It was carried out. Ask for less at a time (a page, a filter, fewer fields).",
        ],
        ja: [
          message,
          "実行はされました。一度に頼む量を減らしてください（ページ、絞り込み、項目の削減）。",
        ],
      });
    case "cancelled":
    case "timeout":
    case "lost":
      return tool.isReadOnly
        ? new Refusal("UPSTREAM_FAILED", { en: [message, AGAIN.en], ja: [message, AGAIN.ja] })
        : lost({ en: message, ja: message });
  }
}

const AGAIN: Texts = {
  en: "It changes nothing: call it again.",
  ja: "何も変えないツールなので、もう一度呼んでください。",
};

export async function whyStopped(core: Core, agentId: AgentId): Promise<Refusal | undefined> {
  try {
    await requireNotStopped(core.store, agentId);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
