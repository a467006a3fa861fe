import type { Identity } from "../../../app/core.ts";
import {
  helloShape,
  requestShape,
  type LiveHello,
  type ServerFrame,
} from "../../../contract/live.ts";
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
  readonly explain: ExplainError;
  readonly hello: (hello: LiveHello) => Promise<void>;
};

/** The answer to one message of a client; undefined if it needs none. Never throws. */
export async function answerMessage(
  { requests, identity, explain, hello }: AnswerMessage,
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
    if (!request.success) throw notUnderstood("The message is neither a hello nor a request.");
    of = request.data.type;
    const run = requests.get(of);
    if (!run) throw unknownRequest(of, requests);
    return { t: "done", of, data: (await run(request.data.data, identity)) ?? null };
  } catch (error) {
    const { code, message, hint } = explain(error);
    return { t: "error", code, message, hint, ...(of === undefined ? {} : { of }) };
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    throw notUnderstood("The message is no JSON text.");
  }
}

function notUnderstood(message: string): Refusal {
  const hint = 'Send {"t":"hello","epoch":…,"seq":…} or {"type":…,"data":…} as JSON text.';
  return new Refusal("INVALID_ARGUMENTS", message, hint);
}

function unknownRequest(type: string, requests: LiveRequests): Refusal {
  const known = [...requests.keys()].join(", ") || "none";
  return new Refusal("INVALID_ARGUMENTS", `There is no request ${type}.`, `Known: ${known}.`);
}
