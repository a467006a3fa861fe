import { fieldsOf, parseJson, textOf, type Fields } from "../../../src/base/narrow.ts";
import type { Attempt, Delivery, Retry } from "./delivery.ts";
import { FORM_TYPE, JSON_TYPE, signRequest, type SignedRequest, type SignOptions } from "./sign.ts";

/** The addresses of the app manifest. */
export type RequestUrls = {
  readonly events: string;
  readonly interactivity: string;
  readonly commands: string;
};

/** Sends payloads as signed HTTP requests. */
export function anHttpMode(secret: string, ackWithinMs: number) {
  let urls: RequestUrls | undefined;

  async function send(url: string, request: SignedRequest): Promise<Attempt> {
    const from = performance.now();
    const elapsed = () => performance.now() - from;
    try {
      const signal = AbortSignal.timeout(ackWithinMs);
      const response = await fetch(url, { method: "POST", ...request, signal });
      const text = await response.text();
      const failure = response.ok ? {} : { reason: "http_error" };
      return {
        isAcked: response.ok,
        ms: elapsed(),
        payload: readAck(text),
        status: response.status,
        request,
        wantsNoRetry: response.headers.has("x-slack-no-retry"),
        ...failure,
      };
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError";
      const reason = isLate ? "http_timeout" : "connection_failed";
      return { isAcked: false, ms: elapsed(), payload: {}, reason, request };
    }
  }

  function target(kind: Delivery["kind"]): string {
    if (!urls) throw new Error("Call sendTo() with the address of the app first.");
    if (kind === "events_api") return urls.events;
    return kind === "interactive" ? urls.interactivity : urls.commands;
  }

  return {
    /** One address for everything, as Bolt has it, or one for each. */
    sendTo(url: string | RequestUrls) {
      urls = typeof url === "string" ? { events: url, interactivity: url, commands: url } : url;
    },
    transport(delivery: Delivery, retry?: Retry): Promise<Attempt> {
      const headers: Record<string, string> = retry
        ? { "x-slack-retry-num": String(retry.number), "x-slack-retry-reason": retry.reason }
        : {};
      return send(target(delivery.kind), signRequest(secret, encode(delivery), { headers }));
    },
    /** Signs a payload as told, also wrongly, and sends it once. */
    sendSigned(delivery: Delivery, options: SignOptions = {}): Promise<Attempt> {
      return send(target(delivery.kind), signRequest(secret, encode(delivery), options));
    },
    /** Sends the very same bytes and headers again. */
    replay(kind: Delivery["kind"], request: SignedRequest): Promise<Attempt> {
      return send(target(kind), request);
    },
    /** What Slack does when an address is entered. Returns whether the app has proved itself. */
    async verifyUrl(): Promise<boolean> {
      const challenge = `c${Date.now()}`;
      const body = JSON.stringify({ token: "t", challenge, type: "url_verification" });
      const request = signRequest(secret, { body, type: JSON_TYPE });
      const { payload, isAcked } = await send(target("events_api"), request);
      return isAcked && [payload["challenge"], payload["text"]].includes(challenge);
    },
  };
}

function encode({ kind, payload }: Delivery): { readonly body: string; readonly type: string } {
  if (kind === "events_api") return { body: JSON.stringify(payload), type: JSON_TYPE };
  const fields =
    kind === "interactive" ? { payload: JSON.stringify(payload) } : textFields(payload);
  return { body: String(new URLSearchParams(fields)), type: FORM_TYPE };
}

function textFields(payload: Fields): Record<string, string> {
  const pairs = Object.entries(payload).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(pairs);
}

/** The body of an acknowledgement is JSON, a plain text or empty. */
function readAck(text: string): Fields {
  if (text === "") return {};
  const json = parseJson(text);
  return json === undefined ? { text } : fieldsOf(json);
}
