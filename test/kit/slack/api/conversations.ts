import type { Fields } from "../../../../src/base/narrow.ts";
import type { StoredMessage } from "../shapes.ts";
import { directChannel } from "../world.ts";
import { ApiError, channelOf, conversationScope, type ApiCall, type Method } from "./method.ts";
import { wireChannel, wireMessage } from "./wire.ts";

export const conversationMethods: Readonly<Record<string, Method>> = {
  "conversations.info": {
    scopes: conversationScope("read"),
    run: (call) => ({ channel: wireChannel(channelOf(call), call.team.botUserId) }),
  },
  "conversations.members": {
    scopes: conversationScope("read"),
    run: (call) => {
      const { items, next } = page([...channelOf(call).members], call, 100);
      return { members: items, response_metadata: { next_cursor: next } };
    },
  },
  "conversations.history": {
    scopes: conversationScope("history"),
    run: (call) => {
      const channel = readable(call);
      const roots = channel.messages.filter(({ threadTs, ts }) => !threadTs || threadTs === ts);
      return list(call, roots.toReversed());
    },
  },
  "conversations.replies": { scopes: conversationScope("history"), run: replies },
  "conversations.open": { scopes: ["im:write"], run: open },
};

function replies(call: ApiCall): Fields {
  const channel = readable(call);
  const root = call.args.need("ts", "thread_not_found");
  const thread = channel.messages.filter(({ ts, threadTs }) => ts === root || threadTs === root);
  if (thread.length === 0) throw new ApiError("thread_not_found");
  return list(call, thread);
}

function open({ team, args }: ApiCall): Fields {
  const users = args.need("users", "users_list_not_supplied").split(",");
  const [user = ""] = users;
  const found = team.users.get(user);
  if (!found) throw new ApiError("user_not_found");
  if (found.deleted) throw new ApiError("user_disabled");
  if (found.isBot || found.teamId !== team.id) throw new ApiError("cannot_dm_bot");
  return { channel: { id: directChannel(team, user).id } };
}

function readable(call: ApiCall) {
  const channel = channelOf(call);
  if (!channel.members.has(call.team.botUserId)) throw new ApiError("not_in_channel");
  return channel;
}

function list(call: ApiCall, messages: readonly StoredMessage[]): Fields {
  const { args, team, world } = call;
  const oldest = args.number("oldest", 0);
  const latest = args.number("latest", Number.MAX_SAFE_INTEGER);
  const inRange = messages.filter(({ ts, isDeleted }) => {
    const at = Number(ts);
    const isInside = args.flag("inclusive")
      ? at >= oldest && at <= latest
      : at > oldest && at < latest;
    return !isDeleted && isInside;
  });
  const { items, next } = page(inRange, call, 100);
  const withMetadata = args.flag("include_all_metadata");
  return {
    messages: items.map((message) => {
      const metadata = message.versions.at(-1)?.metadata;
      const wire = wireMessage(team, world.app.id, message);
      return withMetadata && metadata ? { ...wire, metadata } : wire;
    }),
    has_more: next !== "",
    response_metadata: { next_cursor: next },
  };
}

function page<T>(all: readonly T[], { args }: ApiCall, size: number) {
  const from = Number(args.text("cursor") ?? 0);
  const to = from + args.number("limit", size);
  return { items: all.slice(from, to), next: to < all.length ? String(to) : "" };
}
