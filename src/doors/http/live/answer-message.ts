import type { Identity } from "../../../app/core.ts";
import {
  helloShape,
  requestShape,
  type LiveHello,
  type ServerFrame,
} from "../../../contract/live.ts";
import type { Locale, Texts } from "../../../domain/locale.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { ExplainError } from "../explain-error.ts";

/** Requests that clients may send over the WebSocket, by type. */
export type LiveRequests = ReadonlyMap<
  string,
  (data: unknown, identity: Identity) => Promise<unknown>
>;

export type AnswerMessage = {
  readonly requests: LiveRequests;
  /** The sender. */
  readonly identity: Identity;
  readonly locale: Locale;
  readonly explain: ExplainError;
  readonly hello: (hello: LiveHello) => Promise<void>;
};

/** The answer to one message of a client; undefined if it needs none. Never throws. */
export async function answerMessage(
  { requests, identity, locale, explain, hello }: AnswerMessage,
  text: string | undefined,
): Promise<ServerFrame | undefined> {
  let of: string | undefined;
  try {
    const message = parse(text);
    const greeting = helloShape.safeParse(message);
    if (greeting.success) {
      await hello(greeting.data);
      return undefined;
    }
    const request = requestShape.safeParse(message);
    if (!request.success) throw notUnderstood(NEITHER);
    of = request.data.type;
    const run = requests.get(of);
    if (!run) throw unknownRequest(of, requests);
    return { t: "done", of, data: (await run(request.data.data, identity)) ?? null };
  } catch (error) {
    const { code, message, hint } = explain(error, locale);
    return { t: "error", code, message, hint, ...(of === undefined ? {} : { of }) };
  }
}

const NEITHER: Texts = {
  en: "The message is neither a hello nor a request.",
  ja: "メッセージが hello でも要求でもありません。",
};
const NO_JSON: Texts = {
  en: "The message is no JSON text.",
  ja: "メッセージが JSON ではありません。",
};

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    throw notUnderstood(NO_JSON);
  }
}

function notUnderstood(message: Texts): Refusal {
  const shape = '{"t":"hello","epoch":…,"seq":…} or {"type":…,"data":…}';
  return new Refusal("INVALID_ARGUMENTS", {
    en: [message.en, `Send ${shape} as JSON text.`],
    ja: [message.ja, `${shape.replace("or", "か")} を JSON で送ってください。`],
  });
}

function unknownRequest(type: string, requests: LiveRequests): Refusal {
  const known = [...requests.keys()].join(", ") || "none";
  return new Refusal("INVALID_ARGUMENTS", {
    en: [`There is no request ${type}.`, `Known: ${known}.`],
    ja: [`${type} という要求はありません。`, `使えるもの: ${known}。`],
  });
}
