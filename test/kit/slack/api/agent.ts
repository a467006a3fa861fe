import type { Fields } from "../../../../src/base/narrow.ts";
import type { AgentThread, SlackTeam, StoredMessage } from "../shapes.ts";
import { addMessage, findMessage } from "../world.ts";
import { ApiError, writableChannel, type ApiCall, type Method } from "./method.ts";

const SESSION_STATUSES = ["active", "processing", "suspended", "closed"];
const STREAM_LIMIT = 12_000;

/** The methods for agents: status, title, suggested prompts, sessions and streams. */
export const agentMethods: Readonly<Record<string, Method>> = {
  "assistant.threads.setStatus": {
    scopes: ["assistant:write"],
    run: (call) => {
      const messages = stringsOf(call.args.body["loading_messages"]);
      if (messages.length > 10) throw new ApiError("invalid_arguments");
      const thread = threadOf(call, call.args.need("thread_ts"));
      thread.status = call.args.text("status") ?? "";
      thread.loadingMessages = messages;
      return {};
    },
  },
  "assistant.threads.setTitle": {
    scopes: ["assistant:write"],
    run: (call) => {
      threadOf(call, call.args.need("thread_ts")).title = call.args.need("title");
      return {};
    },
  },
  "assistant.threads.setSuggestedPrompts": {
    scopes: ["assistant:write"],
    run: (call) => {
      const prompts = call.args.list("prompts") ?? [];
      if (prompts.length === 0 || prompts.length > 4) throw new ApiError("invalid_arguments");
      // The agent view has prompts without a thread.
      const thread = threadOf(call, call.args.text("thread_ts"));
      thread.prompts = prompts;
      thread.promptsTitle = call.args.text("title") ?? "";
      return {};
    },
  },
  "agents.sessions.setStatus": {
    scopes: ["chat:write"],
    run: (call) => {
      const status = call.args.need("status");
      if (!SESSION_STATUSES.includes(status)) throw new ApiError("invalid_arguments");
      const thread = threadOf(call, call.args.need("thread_ts"));
      thread.sessionStatus = status;
      const title = call.args.text("title");
      if (title !== undefined) thread.sessionTitle = checkTitle(title);
      const isSubscribed = call.world.app.events.has("agent_session_stopped");
      return isSubscribed ? {} : { warning: "missing_agent_session_stopped_event_subscription" };
    },
  },
  "agents.sessions.rename": {
    scopes: ["chat:write"],
    run: (call) => {
      const title = checkTitle(call.args.need("title"));
      threadOf(call, call.args.need("thread_ts")).sessionTitle = title;
      return {};
    },
  },
  "chat.startStream": { scopes: ["chat:write"], run: startStream },
  "chat.appendStream": {
    scopes: ["chat:write"],
    run: (call) => {
      const message = openStream(call);
      append(call, message);
      return { channel: message.channel, ts: message.ts };
    },
  },
  "chat.stopStream": { scopes: ["chat:write"], run: stopStream },
};

export function agentThread(team: SlackTeam, channel: string, threadTs?: string): AgentThread {
  const key = threadTs === undefined ? channel : `${channel}:${threadTs}`;
  const found = team.agentThreads.get(key) ?? {};
  team.agentThreads.set(key, found);
  return found;
}

function threadOf(call: ApiCall, threadTs: string | undefined): AgentThread {
  return agentThread(call.team, writableChannel(call, "channel_id").id, threadTs);
}

function checkTitle(title: string): string {
  if (title.length > 200) throw new ApiError("invalid_arguments");
  return title;
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function startStream(call: ApiCall): Fields {
  const { world, team, args } = call;
  const channel = writableChannel(call);
  const threadTs = args.need("thread_ts", "invalid_thread_ts");
  if (channel.kind !== "im") {
    args.need("recipient_team_id", "missing_recipient_team_id");
    args.need("recipient_user_id", "missing_recipient_user_id");
  }
  const author = { user: team.botUserId, botId: team.botId, threadTs };
  const message = addMessage(world, channel, author, { text: "" });
  message.stream = { chunks: [], isOpen: true, lastAppendAt: Date.now() };
  append(call, message);
  return { channel: channel.id, ts: message.ts };
}

function stopStream(call: ApiCall): Fields {
  const { args } = call;
  const message = openStream(call);
  append(call, message);
  if (message.stream) message.stream.isOpen = false;
  const content = message.versions.at(-1);
  message.versions.push({
    text: content?.text ?? "",
    blocks: args.list("blocks"),
    metadata: args.object("metadata", "invalid_metadata_format"),
  });
  return { channel: message.channel, ts: message.ts };
}

/** Slack ends a stream by itself if no part has come for a time. */
function openStream(call: ApiCall): StoredMessage {
  const { team, args, streamIdleMs } = call;
  const message = findMessage(team, writableChannel(call).id, args.need("ts"));
  if (!message) throw new ApiError("message_not_found");
  const { stream } = message;
  const isExpired = stream && Date.now() - stream.lastAppendAt > streamIdleMs;
  if (!stream?.isOpen || isExpired) throw new ApiError("message_not_in_streaming_state");
  return message;
}

function append({ args }: ApiCall, message: StoredMessage): void {
  const text = args.text("markdown_text");
  const chunks = args.list("chunks") ?? [];
  const added = text === undefined ? chunks : [{ type: "markdown_text", text }, ...chunks];
  const words = added.map(({ type, text: word }) => (type === "markdown_text" ? String(word) : ""));
  const whole = `${message.versions.at(-1)?.text ?? ""}${words.join("")}`;
  if (whole.length > STREAM_LIMIT) throw new ApiError("msg_too_long");
  message.stream?.chunks.push(...added);
  if (message.stream) message.stream.lastAppendAt = Date.now();
  message.versions.splice(-1, 1, { ...message.versions.at(-1), text: whole });
}
