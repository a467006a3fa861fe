import type { SlackMessage } from "../../../app/ports/slack-store.ts";
import { fieldsOf, isRecord, parseJson, textOf, type Fields } from "../../../base/narrow.ts";
import type { SlackCall } from "../slack-api.ts";

/** The name of our metadata; the key in it finds a message whose answer was lost. */
const METADATA_EVENT = "kuromajutsu_message";
const PAGE = 100;
/** Slack's clock and ours may differ. */
const CLOCK_SLACK_MS = 300_000;

type Sent = Omit<SlackCall, "isUrgent">;

export function isSnippet(message: Pick<SlackMessage, "desired">): boolean {
  return isRecord(contentOf(message)["snippet"]);
}

/** A message to a user goes into the direct messages with them, which may have to be opened. */
export function isForUser({ channel }: Pick<SlackMessage, "channel">): boolean {
  return /^[UW]/.test(channel);
}

export function openCall({ team, channel }: SlackMessage): Sent {
  return { team, method: "conversations.open", args: { users: channel } };
}

export function postCall(message: SlackMessage, content = contentOf(message)): Sent {
  const { team, channel, threadTs, key } = message;
  return {
    team,
    method: "chat.postMessage",
    args: {
      channel,
      ...(threadTs !== null && { thread_ts: threadTs }),
      ...content,
      metadata: { event_type: METADATA_EVENT, event_payload: { key } },
      unfurl_links: false,
      unfurl_media: false,
    },
  };
}

/** Everything is sent again, because Slack keeps attachments that are left out. */
export function updateCall(message: SlackMessage, content = contentOf(message)): Sent {
  const { team, channel, ts } = message;
  return { team, method: "chat.update", args: { channel, ts, ...content } };
}

export function uploadCall(message: SlackMessage): Sent {
  const { team, channel, threadTs } = message;
  const { filename, title, content } = fieldsOf(contentOf(message)["snippet"]);
  return {
    team,
    method: "files.uploadV2",
    args: {
      channel_id: channel,
      ...(threadTs !== null && { thread_ts: threadTs }),
      filename,
      title,
      content,
    },
  };
}

/** Finds a page of the messages among which a lost one must be. */
export function searchCall(message: SlackMessage, cursor: string): Sent {
  const { team, channel, threadTs, createdAt } = message;
  const oldest = ((createdAt - CLOCK_SLACK_MS) / 1_000).toFixed(6);
  return {
    team,
    method: threadTs === null ? "conversations.history" : "conversations.replies",
    args: {
      channel,
      ...(threadTs !== null && { ts: threadTs }),
      oldest,
      include_all_metadata: true,
      limit: PAGE,
      ...(cursor !== "" && { cursor }),
    },
  };
}

export type SearchPage = {
  /** The `ts` of the message. */
  readonly found: string | undefined;
  /** Empty: there is no other page. */
  readonly next: string;
};

export function readPage(answer: Fields, key: string, botUser: string | undefined): SearchPage {
  const messages = Array.isArray(answer["messages"]) ? answer["messages"].filter(isRecord) : [];
  const found = messages.find(({ metadata, user }) => {
    const payload = fieldsOf(fieldsOf(metadata)["event_payload"]);
    return payload["key"] === key && (botUser === undefined || user === botUser);
  });
  const next = textOf(fieldsOf(answer["response_metadata"])["next_cursor"]) ?? "";
  return { found: textOf(found?.["ts"]), next };
}

/**
 * A card that Slack surely accepts, for one that it refused: the line of the notification and the
 * buttons. Undefined if the message has no attachment.
 */
export function simplified(message: SlackMessage): Fields | undefined {
  const { attachments } = contentOf(message);
  const first = fieldsOf(Array.isArray(attachments) ? attachments[0] : undefined);
  const fallback = textOf(first["fallback"]);
  if (fallback === undefined) return undefined;
  const blocks = Array.isArray(first["blocks"]) ? first["blocks"].filter(isRecord) : [];
  const buttons = blocks.filter(({ type }) => type === "actions").slice(0, 1);
  const text = { type: "plain_text", text: fallback };
  return { attachments: [{ ...first, blocks: [{ type: "section", text }, ...buttons] }] };
}

function contentOf({ desired }: Pick<SlackMessage, "desired">): Fields {
  return fieldsOf(parseJson(desired));
}
