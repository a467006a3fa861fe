import { fieldsOf, textOf, type Fields } from "../../../src/base/narrow.ts";
import { agentThread } from "./api/agent.ts";
import { addFile } from "./api/files.ts";
import { closeModal, replaceView, showErrors, showModal } from "./api/views.ts";
import { wireFile, wireMessage } from "./api/wire.ts";
import type { Backend, PostedMessage } from "./backend.ts";
import type { Answer, Delivery } from "./delivery.ts";
import { listOf } from "./elements.ts";
import { eventDelivery, notSubscribed } from "./events.ts";
import { aPerson, type Person } from "./person.ts";
import { newResponseUrl } from "./response-url.ts";
import type {
  AgentThread,
  ChannelKind,
  Content,
  ShownMessage,
  SlackTeam,
  SlackToken,
  SlackUser,
  SlackView,
  StoredMessage,
} from "./shapes.ts";
import {
  addChannel,
  addMessage,
  addUser,
  anId,
  directChannel,
  findMessage,
  shown,
  type World,
} from "./world.ts";

/** What a test reads of a workspace, on the fake and on the emulator. */
export type Reading = {
  /** The messages of a thread, the first one included. */
  thread(channel: string, ts: string): Promise<readonly ShownMessage[]>;
  /** Messages of the app with blocks or attachments, in all channels, oldest first. */
  cards(): Promise<readonly ShownMessage[]>;
  ephemerals(userId: string): Promise<readonly ShownMessage[]>;
  /** The modal that a person sees. */
  modal(userId: string): Promise<SlackView | undefined>;
  home(userId: string): Promise<SlackView | undefined>;
};

export type FakePerson = Person & {
  joinsUserGroup(groupId: string): Promise<Answer>;
  leavesUserGroup(groupId: string): Promise<Answer>;
  /** An administrator deactivates the account. It leaves all channels. */
  leavesWorkspace(): void;
};

export type Workspace = Reading & {
  readonly team: SlackTeam;
  readonly id: string;
  readonly botToken: SlackToken;
  person(name: string, over?: Partial<SlackUser>): FakePerson;
  /** The app and the named people are its members. */
  channel(name: string, people: readonly { readonly id: string }[], kind?: ChannelKind): string;
  userGroup(handle: string, people: readonly { readonly id: string }[]): string;
  removeAppFrom(channel: string): void;
  archive(channel: string): void;
  deleteMessage(message: ShownMessage): void;
  history(channel: string): readonly ShownMessage[];
  /** Everything that the message has shown, oldest first. */
  versions(message: Pick<ShownMessage, "channel" | "ts">): readonly Content[];
  stored(message: Pick<ShownMessage, "channel" | "ts">): StoredMessage;
  agentThread(channel: string, threadTs?: string): AgentThread;
  /** Delivers any event to the app. */
  event(fields: Fields): Promise<Answer>;
  /** An administrator removes the app. */
  uninstall(): Promise<readonly Answer[]>;
  /** An administrator revokes the tokens. */
  revokeTokens(): Promise<Answer>;
};

export type Slack = {
  readonly world: World;
  readonly url: string;
  /** How long a trigger is valid. */
  readonly triggerMs: number;
  readonly deliver: (delivery: Delivery) => Promise<Answer>;
};

export function aWorkspace(slack: Slack, team: SlackTeam, botToken: SlackToken): Workspace {
  const { world, deliver } = slack;
  const backend = aBackend(slack, team);
  const allMessages = () => [...team.channels.values()].flatMap(({ messages }) => messages);

  function event(fields: Fields): Promise<Answer> {
    const delivery = eventDelivery(backend, undefined, fields);
    const isSubscribed = world.app.events.has(textOf(fields["type"]) ?? "");
    return isSubscribed ? deliver(delivery) : Promise.resolve(notSubscribed(delivery));
  }

  function groupChanged(id: string, added: readonly string[], removed: readonly string[]) {
    return event({
      type: "subteam_members_changed",
      subteam_id: id,
      team_id: team.id,
      added_users: added,
      removed_users: removed,
      event_ts: world.newTs(),
    });
  }

  function endTokens(error: "token_revoked" | "account_inactive"): void {
    for (const token of world.tokens.values()) if (token.team === team) token.error = error;
  }

  function person(name: string, over: Partial<SlackUser> = {}): FakePerson {
    const user = addUser(team, { ...over, name });
    const users = (id: string) => groupOf(team, id).users;
    return {
      ...aPerson(backend, user),
      joinsUserGroup(id) {
        users(id).push(user.id);
        return groupChanged(id, [user.id], []);
      },
      leavesUserGroup(id) {
        users(id).splice(users(id).indexOf(user.id), 1);
        return groupChanged(id, [], [user.id]);
      },
      leavesWorkspace() {
        user.deleted = true;
        for (const { kind, members } of team.channels.values()) {
          if (kind !== "im") members.delete(user.id);
        }
      },
    };
  }

  function stored({ channel, ts }: Pick<ShownMessage, "channel" | "ts">): StoredMessage {
    const found = findMessage(team, channel, ts);
    if (!found) throw new Error(`There is no message ${ts} in ${channel}.`);
    return found;
  }

  return {
    team,
    id: team.id,
    botToken,
    person,
    event,
    stored,
    channel(name, people, kind = "public") {
      const members = [team.botUserId, ...people.map(({ id }) => id)];
      return addChannel(team, name, kind, members).id;
    },
    userGroup(handle, people) {
      const id = anId("S");
      team.userGroups.set(id, { id, handle, users: people.map((each) => each.id) });
      return id;
    },
    removeAppFrom: (id) => void channelOf(team, id).members.delete(team.botUserId),
    archive(id) {
      channelOf(team, id).isArchived = true;
    },
    deleteMessage(message) {
      stored(message).isDeleted = true;
    },
    history: (id) => visible(channelOf(team, id).messages),
    versions: (message) => stored(message).versions,
    agentThread: (channel, threadTs) => agentThread(team, channel, threadTs),
    async uninstall() {
      endTokens("account_inactive");
      const bot = { tokens: { oauth: [], bot: [team.botUserId] } };
      return Promise.all([
        event({ type: "app_uninstalled", event_ts: world.newTs() }),
        event({ type: "tokens_revoked", ...bot, event_ts: world.newTs() }),
      ]);
    },
    revokeTokens() {
      endTokens("token_revoked");
      const bot = { tokens: { oauth: [], bot: [team.botUserId] } };
      return event({ type: "tokens_revoked", ...bot, event_ts: world.newTs() });
    },
    async thread(channel, ts) {
      const { messages } = channelOf(team, channel);
      return visible(messages.filter((each) => each.ts === ts || each.threadTs === ts));
    },
    async cards() {
      const own = allMessages().filter(({ botId }) => botId === team.botId);
      return visible(own)
        .filter(({ blocks, attachments }) => blocks?.length || attachments?.length)
        .sort((a, b) => Number(a.ts) - Number(b.ts));
    },
    async ephemerals(userId) {
      const mine = team.ephemerals.filter(({ user }) => user === userId);
      return mine.map((each) => ({ ...each, user: team.botUserId, isEphemeral: true }));
    },
    modal: async (userId) => team.modals.get(userId)?.at(-1),
    home: async (userId) => team.homes.get(userId),
  };
}

/** How people of the fake reach its state. */
function aBackend({ world, url, triggerMs, deliver }: Slack, team: SlackTeam): Backend {
  const posted = (message: StoredMessage): PostedMessage => ({
    shown: shown(message),
    wire: wireMessage(team, world.app.id, message),
  });

  return {
    app: world.app,
    team,
    deliver,
    newTs: world.newTs,
    channel: async (id) => channelOf(team, id),
    directChannel: async (userId) => directChannel(team, userId).id,
    async post(user, id, { text, threadTs, files = [] }) {
      const channel = channelOf(team, id);
      if (!channel.members.has(user.id)) throw new Error(`${user.name} is not in ${id}.`);
      if (channel.isArchived) throw new Error(`${id} is archived.`);
      const uploaded = files.map(({ content, ...file }) => {
        const added = addFile(team, { ...file, user: user.id });
        added.content = Buffer.from(content);
        added.isComplete = true;
        added.channels.add(id);
        return wireFile(team, added, url);
      });
      const content = uploaded.length > 0 ? { text, files: uploaded } : { text };
      return posted(addMessage(world, channel, { user: user.id, threadTs }, content));
    },
    async message(channel, ts) {
      const found = findMessage(team, channel, ts);
      return found && posted(found);
    },
    async newTrigger(userId, viewId) {
      const id = `${Date.now()}.${anId("")}`;
      const expiresAt = Date.now() + triggerMs;
      world.triggers.set(id, { team, userId, viewId, expiresAt, isUsed: false });
      return id;
    },
    newResponseUrl: (target) => `${url}/actions/${newResponseUrl(world, { ...target, team })}`,
    async afterSubmit(view, { isAcked, payload }) {
      if (!isAcked) return;
      const { response_action: action, view: next, errors } = payload;
      if (action === "errors") showErrors(team, view, fieldsOf(errors));
      else if (action === "update") replaceView(team, view, fieldsOf(next));
      else if (action === "push") showModal(team, view.userId, fieldsOf(next), true);
      else if (action === "clear") team.modals.delete(view.userId);
      else closeModal(team, view);
    },
    close: async (view) => closeModal(team, view),
    async afterCommand(userId, channel, { isAcked, payload }) {
      const text = textOf(payload["text"]) ?? "";
      const [blocks, attachments] = [listOf(payload["blocks"]), listOf(payload["attachments"])];
      if (!isAcked || (!text && blocks.length === 0 && attachments.length === 0)) return;
      const content = { text, blocks, attachments };
      if (payload["response_type"] === "in_channel") {
        const author = { user: team.botUserId, botId: team.botId };
        addMessage(world, channelOf(team, channel), author, content);
      } else {
        team.ephemerals.push({ ...content, ts: world.newTs(), channel, user: userId });
      }
    },
    home: async (userId) => team.homes.get(userId),
  };
}

function visible(messages: readonly StoredMessage[]): ShownMessage[] {
  return messages.filter(({ isDeleted }) => !isDeleted).map(shown);
}

function channelOf(team: SlackTeam, id: string) {
  const channel = team.channels.get(id);
  if (!channel) throw new Error(`${team.name} has no channel ${id}.`);
  return channel;
}

function groupOf(team: SlackTeam, id: string) {
  const group = team.userGroups.get(id);
  if (!group) throw new Error(`${team.name} has no user group ${id}.`);
  return group;
}
