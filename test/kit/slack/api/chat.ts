import type { Fields } from "../../../../src/base/narrow.ts";
import type { Content, SlackChannel, StoredMessage } from "../shapes.ts";
import { addMessage, directChannel, findMessage, withIds } from "../world.ts";
import { ApiError, channelOf, writableChannel, type ApiCall, type Method } from "./method.ts";
import { wireMessage } from "./wire.ts";

const TEXT_LIMIT = 40_000;

export const chatMethods: Readonly<Record<string, Method>> = {
  "chat.postMessage": { scopes: ["chat:write"], run: postMessage },
  "chat.postEphemeral": { scopes: ["chat:write"], run: postEphemeral },
  "chat.update": { scopes: ["chat:write"], run: update },
  "chat.delete": { scopes: ["chat:write"], run: remove },
  "chat.getPermalink": { scopes: [], run: getPermalink },
};

function postMessage(call: ApiCall): Fields {
  const { world, team, args } = call;
  const channel = targetOf(call);
  const { content, warnings } = contentOf(call);
  const stored = addMessage(
    world,
    channel,
    { user: team.botUserId, botId: team.botId, threadTs: args.text("thread_ts") },
    withIds(content),
  );
  return {
    channel: channel.id,
    ts: stored.ts,
    message: wireMessage(team, world.app.id, stored),
    ...warnings,
  };
}

/** A message may also be posted to a user id: Slack then opens the direct messages. */
function targetOf(call: ApiCall): SlackChannel {
  const { team, args } = call;
  const user = team.users.get(args.need("channel", "channel_not_found"));
  return user ? directChannel(team, user.id) : writableChannel(call);
}

function postEphemeral(call: ApiCall): Fields {
  const { world, team, args } = call;
  const channel = writableChannel(call);
  const user = args.need("user", "user_not_found");
  const { content, warnings } = contentOf(call);
  if (!channel.members.has(user)) throw new ApiError("user_not_in_channel");
  const ts = world.newTs();
  const threadTs = args.text("thread_ts");
  team.ephemerals.push({ ...withIds(content), ts, channel: channel.id, user, threadTs });
  return { message_ts: ts, ...warnings };
}

/**
 * Without `blocks` a new text removes the old blocks. Attachments and metadata stay if they are
 * left out.
 */
function update(call: ApiCall): Fields {
  const { world, team, args } = call;
  const message = ownMessage(call, "ts", "cant_update_message");
  const before = message.versions.at(-1);
  const { content, warnings } = contentOf(call);
  message.versions.push({
    ...withIds(content),
    attachments: withIds(content).attachments ?? before?.attachments,
    metadata: content.metadata ?? before?.metadata,
  });
  const { text } = content;
  const wire = wireMessage(team, world.app.id, message);
  return { channel: args.text("channel"), ts: message.ts, text, message: wire, ...warnings };
}

function remove(call: ApiCall): Fields {
  const message = ownMessage(call, "ts", "cant_delete_message");
  message.isDeleted = true;
  return { channel: message.channel, ts: message.ts };
}

function getPermalink(call: ApiCall): Fields {
  const { team, args } = call;
  const channel = channelOf(call);
  const message = findMessage(team, channel.id, args.need("message_ts", "message_not_found"));
  if (!message) throw new ApiError("message_not_found");
  const thread = message.threadTs ? `?thread_ts=${message.threadTs}&cid=${channel.id}` : "";
  const place = `archives/${channel.id}/p${message.ts.replace(".", "")}${thread}`;
  return { channel: channel.id, permalink: `https://${team.domain}.slack.com/${place}` };
}

function ownMessage(call: ApiCall, name: string, error: string): StoredMessage {
  const { team, args } = call;
  const channel = writableChannel(call);
  const message = findMessage(team, channel.id, args.need(name, "message_not_found"));
  if (!message) throw new ApiError("message_not_found");
  if (message.botId !== team.botId) throw new ApiError(error);
  return message;
}

/** Checks a message like Slack does, and truncates a text that is too long. */
export function contentOf({ args, check }: Pick<ApiCall, "args" | "check">): {
  content: Content;
  warnings: Fields;
} {
  const blocks = args.list("blocks");
  const attachments = args.list("attachments");
  const text = args.text("text") ?? "";
  if (!text && !blocks?.length && !attachments?.length) throw new ApiError("no_text");
  if (attachments && attachments.length > 100) throw new ApiError("too_many_attachments");
  const problems = check("message", { text, blocks, attachments });
  if (problems.length > 0) {
    const code = attachments?.length ? "invalid_attachments" : "invalid_blocks";
    throw new ApiError(code, { response_metadata: { messages: problems } });
  }
  const isLong = text.length > TEXT_LIMIT;
  const metadata = args.object("metadata", "invalid_metadata_format");
  return {
    content: { text: text.slice(0, TEXT_LIMIT), blocks, attachments, metadata },
    warnings: isLong
      ? { response_metadata: { warnings: ["message_truncated"] }, warning: "message_truncated" }
      : {},
  };
}
