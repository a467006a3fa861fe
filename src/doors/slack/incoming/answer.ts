import type { Notice } from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed } from "../slack-api.ts";
import type { Incoming } from "./context.ts";
import { placeOf, type Place } from "./place.ts";

/**
 * Answers the sender so that only they see it. Rejects if Slack cannot be reached: the request is
 * then handled again.
 */
export async function answer(
  incoming: Incoming,
  request: SlackRequest,
  notice: Notice,
  place = placeOf(request),
): Promise<void> {
  const { body, ack } = request;
  const isCommand = typeof body["command"] === "string";
  const message = { text: notice.text, blocks: notice.blocks };
  if (isCommand && ack.isOpen()) {
    return ack.send({ response_type: "ephemeral", ...message });
  }
  await ack.send();
  const ways = isCommand
    ? [viaResponseUrl, viaDirectMessage]
    : [viaEphemeral, viaResponseUrl, viaDirectMessage];
  for (const way of ways) {
    if (await succeeds(way(incoming, request, message, place))) return;
  }
  incoming.core.log.warn("A Slack user could not be answered.", {
    team: request.team,
    user: request.user,
  });
}

type Message = { readonly text: string; readonly blocks: Notice["blocks"] };
type Sending = Promise<unknown> | undefined;

function viaEphemeral(
  { api }: Incoming,
  { team, user }: SlackRequest,
  message: Message,
  { channel, threadTs }: Place,
): Sending {
  if (channel === undefined) return undefined;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const args = { channel, user, ...thread, ...message };
  return api.call({ team, method: "chat.postEphemeral", args, isUrgent: true });
}

function viaResponseUrl(
  { responses }: Incoming,
  _request: SlackRequest,
  message: Message,
  { responseUrl }: Place,
): Sending {
  if (responseUrl === undefined) return undefined;
  const only = { response_type: "ephemeral", replace_original: false };
  return responses.send(responseUrl, { ...only, ...message });
}

/** Slack opens the direct message for the id of a user. */
function viaDirectMessage(
  { api }: Incoming,
  { team, user }: SlackRequest,
  message: Message,
): Sending {
  const args = { channel: user, ...message };
  return api.call({ team, method: "chat.postMessage", args, isUrgent: true });
}

/** False: Slack refused this way, for example because the app is not in the channel. */
async function succeeds(sending: Sending): Promise<boolean> {
  if (!sending) return false;
  try {
    await sending;
    return true;
  } catch (error) {
    if (error instanceof SlackCallFailed && error.failure === "lost") return true;
    if (error instanceof SlackCallFailed && error.failure === "refused") return false;
    throw error;
  }
}
