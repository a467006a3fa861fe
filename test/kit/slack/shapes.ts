import type { Fields } from "../../../src/base/narrow.ts";

/** The app that is under test, as it is registered at Slack. */
export type SlackApp = {
  readonly id: string;
  /** The app-level token for Socket Mode. */
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The events of the manifest. Slack delivers no others. */
  readonly events: ReadonlySet<string>;
};

export type SlackUser = {
  readonly id: string;
  readonly name: string;
  /** The workspace that the user belongs to. A Slack Connect user belongs to another one. */
  readonly teamId: string;
  readonly email: string;
  readonly locale: string;
  readonly isAdmin: boolean;
  readonly isBot: boolean;
  readonly isRestricted: boolean;
  readonly isUltraRestricted: boolean;
  /** True once the user has left the workspace. */
  deleted: boolean;
};

export type ChannelKind = "public" | "private" | "im";

export type SlackChannel = {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  readonly messages: StoredMessage[];
  isArchived: boolean;
};

/** What a message shows. */
export type Content = {
  readonly text: string;
  readonly blocks?: readonly Fields[] | undefined;
  readonly attachments?: readonly Fields[] | undefined;
  readonly metadata?: Fields | undefined;
  readonly files?: readonly Fields[] | undefined;
};

/** A message as a person or the app sees it. */
export type ShownMessage = Content & {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs?: string | undefined;
  readonly user: string;
  /** Set if an app has posted the message. */
  readonly botId?: string | undefined;
  readonly isEphemeral?: boolean | undefined;
};

export type StoredMessage = {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs?: string | undefined;
  readonly user: string;
  readonly botId?: string | undefined;
  readonly subtype?: string | undefined;
  /** Oldest first; the last one is shown. */
  readonly versions: Content[];
  isDeleted: boolean;
  stream?: StreamState;
};

export type StreamState = {
  readonly chunks: Fields[];
  isOpen: boolean;
  lastAppendAt: number;
};

export type EphemeralMessage = Content & {
  readonly ts: string;
  readonly channel: string;
  readonly threadTs?: string | undefined;
  /** The only person who sees it. */
  readonly user: string;
};

export type SlackView = {
  readonly id: string;
  readonly type: "modal" | "home";
  readonly userId: string;
  /** The view as the app has sent it, with the missing block ids filled in. */
  readonly view: Fields;
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** The messages below the inputs that the app has refused, by block id. */
  readonly errors: Fields;
};

export type SlackFile = {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly user: string;
  readonly channels: Set<string>;
  content: Buffer;
  isComplete: boolean;
};

export type UserGroup = { readonly id: string; readonly handle: string; readonly users: string[] };

/** The state of an agent conversation: what the assistant and session methods have set. */
export type AgentThread = {
  status?: string;
  loadingMessages?: readonly string[];
  title?: string;
  prompts?: readonly Fields[];
  promptsTitle?: string;
  sessionStatus?: string;
  sessionTitle?: string;
};

export type SlackToken = {
  readonly value: string;
  readonly kind: "bot" | "app";
  /** Undefined for an app-level token. */
  readonly team?: SlackTeam;
  readonly scopes: Set<string>;
  /** What Slack answers to the token, if it is no longer valid. */
  error?: "token_revoked" | "account_inactive" | "invalid_auth";
};

export type SlackTeam = {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly botUserId: string;
  readonly botId: string;
  readonly users: Map<string, SlackUser>;
  readonly channels: Map<string, SlackChannel>;
  readonly userGroups: Map<string, UserGroup>;
  readonly files: Map<string, SlackFile>;
  readonly ephemerals: EphemeralMessage[];
  /** Open modals by user, the top one last. */
  readonly modals: Map<string, SlackView[]>;
  readonly homes: Map<string, SlackView>;
  /** By `channel` or `channel:thread`. */
  readonly agentThreads: Map<string, AgentThread>;
};
