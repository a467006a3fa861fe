import type { Core } from "../../../app/core.ts";
import { fieldsOf, parseJson, textOf, type Fields } from "../../../base/narrow.ts";
import { readUpTo } from "../../read-up-to.ts";
import type { Inbox } from "./inbox.ts";
import { createRareWarning } from "./rare-warning.ts";
import { isSignedBySlack } from "./verify-signature.ts";

/** Slack's requests are much smaller; a message has at most 40,000 characters. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type HttpReceiver = {
  readonly core: Pick<Core, "clock" | "log">;
  readonly signingSecret: string;
  readonly inbox: Pick<Inbox, "receive">;
};

/** Answers the requests that Slack sends to `/slack/events`: events, clicks and commands. */
export function createHttpReceiver({ core, signingSecret, inbox }: HttpReceiver) {
  const warn = createRareWarning(core);
  return async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const bytes = await readUpTo(request, MAX_BODY_BYTES).catch(() => undefined);
    if (!bytes) return new Response(null, { status: 413 });
    const body = new TextDecoder().decode(bytes);
    const { headers } = request;
    const signed = {
      body,
      signature: headers.get("x-slack-signature"),
      timestamp: headers.get("x-slack-request-timestamp"),
    };
    if (!isSignedBySlack(signingSecret, signed, core.clock.now())) {
      warn("A request to /slack/events was refused: its signature is missing or wrong.");
      return new Response(null, { status: 401 });
    }
    const parsed = parseBody(body, headers.get("content-type") ?? "");
    if (!parsed) return new Response(null, { status: 400 });
    return answer(parsed, inbox, core);
  };
}

async function answer(
  body: Fields,
  inbox: HttpReceiver["inbox"],
  { log }: HttpReceiver["core"],
): Promise<Response> {
  if (body["type"] === "url_verification") return Response.json({ challenge: body["challenge"] });
  if (body["ssl_check"] !== undefined) return new Response(null, { status: 200 });
  const acked = Promise.withResolvers<Response>();
  inbox
    .receive(body, (payload) => acked.resolve(toResponse(payload)))
    .catch((error: unknown) => {
      // Not stored: Slack must deliver it again.
      log.error("A request of Slack could not be stored.", { error: String(error) });
      acked.resolve(new Response(null, { status: 500 }));
    });
  return acked.promise;
}

function toResponse(payload: Fields | undefined): Response {
  return payload ? Response.json(payload) : new Response(null, { status: 200 });
}

/** Events are JSON. Clicks are a form with JSON in the field `payload`; commands are a plain form. */
function parseBody(body: string, type: string): Fields | undefined {
  if (type.startsWith("application/json")) {
    const json = fieldsOf(parseJson(body));
    return textOf(json["type"]) === undefined ? undefined : json;
  }
  if (!type.startsWith("application/x-www-form-urlencoded")) return undefined;
  const form = new URLSearchParams(body);
  const payload = form.get("payload");
  return payload === null ? Object.fromEntries(form) : fieldsOf(parseJson(payload));
}
