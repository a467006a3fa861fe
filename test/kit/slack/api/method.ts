import { fieldsOf, isRecord, type Fields } from "../../../../src/base/narrow.ts";
import type { SlackChannel, SlackTeam, SlackToken } from "../shapes.ts";
import type { World } from "../world.ts";

/** Returns what is wrong with a message or a view; empty if Slack would accept it. */
export type CheckBlocks = (
  surface: "message" | "modal" | "home",
  content: Fields,
) => readonly string[];

export type ApiCall = {
  readonly world: World;
  readonly token: SlackToken;
  readonly team: SlackTeam;
  readonly args: Args;
  /** Without a path. */
  readonly url: string;
  readonly check: CheckBlocks;
  /** How long a stream may wait for its next part. */
  readonly streamIdleMs: number;
};

type ScopesOf = (call: ApiCall) => readonly string[];

export type Method = {
  /** The scopes that the method needs. An inner list means: one of these. */
  readonly scopes: readonly string[] | ScopesOf;
  readonly run: (call: ApiCall) => Fields;
};

/** Slack answers `{ ok: false, error }` with HTTP status 200. */
export class ApiError extends Error {
  readonly code: string;
  readonly extra: Fields;

  constructor(code: string, extra: Fields = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

export type Args = ReturnType<typeof anArgs>;

/** The arguments of a call. A form has only strings: objects and lists are JSON in it. */
export function anArgs(body: Fields) {
  const text = (name: string): string | undefined => {
    const value = body[name];
    if (value === undefined || value === null || value === "") return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const list = (name: string): readonly Fields[] | undefined => {
    const value = body[name];
    if (value === undefined || value === null || value === "") return undefined;
    if (!Array.isArray(value)) throw new ApiError(`invalid_${name}_format`);
    return value.map((each) => fieldsOf(each));
  };
  return {
    body,
    text,
    list,
    need(name: string, error = "invalid_arguments"): string {
      const value = text(name);
      if (value === undefined) {
        const messages = [`[ERROR] missing required field: ${name}`];
        throw new ApiError(error, { response_metadata: { messages } });
      }
      return value;
    },
    object(name: string, error = "invalid_arguments"): Fields | undefined {
      const value = body[name];
      if (value === undefined || value === null || value === "") return undefined;
      if (!isRecord(value)) throw new ApiError(error);
      return value;
    },
    flag: (name: string): boolean => ["true", "1"].includes(String(body[name])),
    number: (name: string, otherwise: number): number => Number(body[name] ?? otherwise),
  };
}

export function channelOf({ team, args }: ApiCall, name = "channel"): SlackChannel {
  const channel = team.channels.get(args.need(name, "channel_not_found"));
  if (!channel) throw new ApiError("channel_not_found");
  const isHidden = channel.kind !== "public" && !channel.members.has(team.botUserId);
  if (isHidden) throw new ApiError("channel_not_found");
  return channel;
}

/** A channel that the app may write to. */
export function writableChannel(call: ApiCall, name = "channel"): SlackChannel {
  const channel = channelOf(call, name);
  if (channel.isArchived) throw new ApiError("is_archived");
  if (!channel.members.has(call.team.botUserId)) throw new ApiError("not_in_channel");
  return channel;
}

/** The scope for reading a conversation depends on its kind, such as `im:history`. */
export function conversationScope(what: "read" | "history", name = "channel"): ScopesOf {
  const prefixes = { public: "channels", private: "groups", im: "im" } as const;
  return ({ team, args }) => {
    const channel = team.channels.get(args.text(name) ?? "");
    return channel ? [`${prefixes[channel.kind]}:${what}`] : [];
  };
}
