import { randomBytes } from "node:crypto";
import { fieldsOf, isRecord, type Fields } from "../../../src/base/narrow.ts";
import type {
  ChannelKind,
  Content,
  ShownMessage,
  SlackApp,
  SlackChannel,
  SlackTeam,
  SlackToken,
  SlackUser,
  StoredMessage,
} from "./shapes.ts";

/** The scopes of the bot token in the app manifest. */
export const BOT_SCOPES: readonly string[] = [
  "app_mentions:read",
  "assistant:write",
  "chat:write",
  "commands",
  "im:history",
  "im:read",
  "im:write",
  "channels:read",
  "channels:history",
  "groups:read",
  "groups:history",
  "users:read",
  "usergroups:read",
  "files:read",
  "files:write",
];

/** The events of the app manifest. */
export const BOT_EVENTS: readonly string[] = [
  "app_mention",
  "message.im",
  "app_home_opened",
  "app_context_changed",
  "assistant_thread_started",
  "assistant_thread_context_changed",
  "agent_session_stopped",
  "agent_session_title_changed",
  "app_uninstalled",
  "tokens_revoked",
  "subteam_members_changed",
];

type Trigger = {
  readonly team: SlackTeam;
  readonly userId: string;
  readonly expiresAt: number;
  readonly viewId?: string | undefined;
  isUsed: boolean;
};

/** What a response_url may change. */
export type ResponseTarget = {
  readonly team: SlackTeam;
  readonly channel: string;
  readonly userId: string;
  readonly threadTs?: string | undefined;
  /** The message that `replace_original` and `delete_original` are about. */
  readonly messageTs?: string | undefined;
  readonly at: number;
  uses: number;
};

type InstallCode = {
  readonly team: SlackTeam;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
};

/** Everything that Slack's servers remember. It survives `goDown()` of the fake. */
export type World = ReturnType<typeof aWorld>;

export function aWorld(over: Partial<SlackApp> = {}) {
  const app: SlackApp = {
    id: anId("A"),
    appToken: `xapp-1-${randomHex(24)}`,
    signingSecret: randomHex(16),
    clientId: `${randomDigits()}.${randomDigits()}`,
    clientSecret: randomHex(16),
    events: new Set(BOT_EVENTS),
    ...over,
  };
  const tokens = new Map<string, SlackToken>();
  tokens.set(app.appToken, {
    value: app.appToken,
    kind: "app",
    scopes: new Set(["connections:write"]),
  });
  return {
    app,
    tokens,
    teams: new Map<string, SlackTeam>(),
    triggers: new Map<string, Trigger>(),
    responseTargets: new Map<string, ResponseTarget>(),
    installCodes: new Map<string, InstallCode>(),
    newTs: aTimestampMaker(),
  };
}

export const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

const randomDigits = (): string => String(parseInt(randomHex(5), 16)).padStart(13, "1");

export const anId = (prefix: string): string => `${prefix}${randomHex(5).toUpperCase()}`;

/** Message timestamps are unique and increase, also within one millisecond. */
function aTimestampMaker(): () => string {
  let last = 0;
  return () => {
    last = Math.max(Date.now() * 1000, last + 1);
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, "0")}`;
  };
}

export function addTeam(world: World, name: string): SlackTeam {
  const team: SlackTeam = {
    id: anId("T"),
    name,
    domain: name.toLowerCase(),
    botUserId: anId("U"),
    botId: anId("B"),
    users: new Map(),
    channels: new Map(),
    userGroups: new Map(),
    files: new Map(),
    ephemerals: [],
    modals: new Map(),
    homes: new Map(),
    agentThreads: new Map(),
  };
  world.teams.set(team.id, team);
  addUser(team, { id: team.botUserId, name: "kuromajutsu", isBot: true });
  return team;
}

export function addUser(team: SlackTeam, over: Partial<SlackUser> & { name: string }): SlackUser {
  const user: SlackUser = {
    id: anId("U"),
    teamId: team.id,
    email: `${over.name}@example.com`,
    locale: "ja-JP",
    isAdmin: false,
    isBot: false,
    isRestricted: false,
    isUltraRestricted: false,
    deleted: false,
    ...over,
  };
  team.users.set(user.id, user);
  return user;
}

export function addToken(world: World, team: SlackTeam, scopes: readonly string[]): SlackToken {
  // The value has the form of a real token, so that checks of logs find it.
  const value = `xoxb-${randomDigits()}-${randomDigits()}-${randomHex(12)}`;
  const token: SlackToken = { value, kind: "bot", team, scopes: new Set(scopes) };
  world.tokens.set(value, token);
  return token;
}

export function addChannel(
  team: SlackTeam,
  name: string,
  kind: ChannelKind,
  members: readonly string[],
): SlackChannel {
  const prefix = kind === "im" ? "D" : kind === "private" ? "G" : "C";
  const channel: SlackChannel = {
    id: anId(prefix),
    name,
    kind,
    members: new Set(members),
    messages: [],
    isArchived: false,
  };
  team.channels.set(channel.id, channel);
  return channel;
}

/** The direct messages between a user and the app. */
export function directChannel(team: SlackTeam, userId: string): SlackChannel {
  for (const channel of team.channels.values()) {
    if (channel.kind === "im" && channel.members.has(userId)) return channel;
  }
  return addChannel(team, "", "im", [userId, team.botUserId]);
}

export function addMessage(
  world: World,
  channel: SlackChannel,
  message: Pick<StoredMessage, "user" | "botId" | "threadTs" | "subtype">,
  content: Content,
): StoredMessage {
  const stored: StoredMessage = {
    ...message,
    ts: world.newTs(),
    channel: channel.id,
    versions: [content],
    isDeleted: false,
  };
  channel.messages.push(stored);
  return stored;
}

export function findMessage(team: SlackTeam, channel: string, ts: string) {
  const found = team.channels.get(channel)?.messages.find((each) => each.ts === ts);
  return found?.isDeleted ? undefined : found;
}

export function shown(message: StoredMessage): ShownMessage {
  const { ts, channel, threadTs, user, botId, versions } = message;
  return { ...(versions.at(-1) ?? { text: "" }), ts, channel, threadTs, user, botId };
}

/** Slack gives an id to every block that has none, and a number to every attachment. */
export function withIds(content: Content): Content {
  const { blocks, attachments } = content;
  return {
    ...content,
    ...(blocks && { blocks: blocks.map(withBlockId) }),
    ...(attachments && { attachments: attachments.map(withAttachmentIds) }),
  };
}

function withAttachmentIds(attachment: Fields, index: number): Fields {
  const blocks = Array.isArray(attachment["blocks"]) ? attachment["blocks"].filter(isRecord) : [];
  return {
    id: index + 1,
    fallback: "[no preview available]",
    ...attachment,
    ...(blocks.length > 0 && { blocks: blocks.map(withBlockId) }),
  };
}

export function withBlockId(block: Fields): Fields {
  const { accessory, elements } = block;
  return {
    block_id: randomHex(3),
    ...block,
    ...(isRecord(accessory) && { accessory: withActionId(accessory) }),
    ...(Array.isArray(elements) && { elements: elements.map((each) => withActionId(each)) }),
  };
}

function withActionId(element: unknown): Fields {
  const fields = fieldsOf(element);
  return fields["type"] === "button" ? { action_id: randomHex(3), ...fields } : fields;
}
