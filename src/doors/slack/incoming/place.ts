import { fieldsOf, parseJson, textOf, type Fields } from "../../../base/narrow.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import type { Incoming } from "./context.ts";

/** Where an answer to a request is shown. */
export type Place = {
  readonly channel: string | undefined;
  /** The thread that the person sees. */
  readonly threadTs: string | undefined;
  /** The message that the request is about. */
  readonly messageTs: string | undefined;
  readonly responseUrl: string | undefined;
};

/** What a modal needs to know about the button that opened it. It is checked again. */
export type ModalOrigin = {
  readonly value: string;
  readonly channel: string | undefined;
  readonly threadTs: string | undefined;
};

export function writeOrigin(origin: ModalOrigin): string {
  return JSON.stringify(origin);
}

export function readOrigin(body: Fields): ModalOrigin {
  const { private_metadata: metadata } = fieldsOf(body["view"]);
  const read = fieldsOf(parseJson(textOf(metadata) ?? ""));
  return {
    value: textOf(read["value"]) ?? "",
    channel: textOf(read["channel"]),
    threadTs: textOf(read["threadTs"]),
  };
}

export function placeOf({ body }: Pick<SlackRequest, "body">): Place {
  const responseUrl = textOf(body["response_url"]);
  if (body["type"] === "event_callback") return eventPlace(fieldsOf(body["event"]));
  if (body["type"] === "view_submission") {
    const { channel, threadTs } = readOrigin(body);
    return { channel, threadTs, messageTs: undefined, responseUrl };
  }
  const container = fieldsOf(body["container"]);
  const message = fieldsOf(body["message"]);
  return {
    channel: textOf(body["channel_id"]) ?? textOf(fieldsOf(body["channel"])["id"]),
    threadTs: textOf(container["thread_ts"]) ?? textOf(message["thread_ts"]),
    messageTs: textOf(container["message_ts"]) ?? textOf(message["ts"]),
    responseUrl,
  };
}

function eventPlace(event: Fields): Place {
  return {
    channel: textOf(event["channel"]),
    threadTs: textOf(event["thread_ts"]),
    messageTs: textOf(event["ts"]),
    responseUrl: undefined,
  };
}

/** The language of the thread, else of the person, else of the daemon. */
export async function localeOf(
  { core, people }: Incoming,
  { team, user }: Pick<SlackRequest, "team" | "user">,
  { channel, threadTs, messageTs }: Pick<Place, "channel" | "threadTs" | "messageTs">,
): Promise<Locale> {
  const root = threadTs ?? messageTs;
  const isKnown = channel !== undefined && root !== undefined;
  const thread = isKnown ? await core.store.getSlackThread(team, channel, root) : undefined;
  if (thread) return thread.locale;
  const found = await people.roster.user(team, user).catch(() => undefined);
  return found?.locale ?? core.settings.locale;
}
