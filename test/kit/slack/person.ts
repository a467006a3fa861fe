import type { Fields } from "../../../src/base/narrow.ts";
import { wireView } from "./api/wire.ts";
import type { Backend, NewFile, PostedMessage } from "./backend.ts";
import type { Answer } from "./delivery.ts";
import {
  actionOf,
  fillIn,
  findElement,
  findInView,
  type Choice,
  type FoundElement,
} from "./elements.ts";
import { eventDelivery, notSubscribed } from "./events.ts";
import type { ShownMessage, SlackUser, SlackView } from "./shapes.ts";

export type MessageOptions = {
  readonly files?: readonly NewFile[];
  /** The `ts` of the first message of the thread. */
  readonly thread?: string;
  /** The text has Slack's entities already. */
  readonly isRaw?: boolean;
};

export type Sent = Answer & { readonly message: ShownMessage };

export type Person = ReturnType<typeof aPerson>;

/** A person in front of Slack. Every deed returns how the app has answered. */
export function aPerson(backend: Backend, user: SlackUser) {
  const { app, team, deliver } = backend;
  const who = { id: user.id, username: user.name, name: user.name, team_id: user.teamId };
  const shared = {
    token: "verification",
    api_app_id: app.id,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };

  /** Slack delivers only the events of the manifest. */
  function event(subscription: string, fields: Fields): Promise<Answer> {
    const delivery = eventDelivery(backend, user, fields);
    if (!app.events.has(subscription)) return Promise.resolve(notSubscribed(delivery));
    return deliver(delivery);
  }

  async function post(channel: string, text: string, options: MessageOptions) {
    const { files, thread: threadTs, isRaw } = options;
    return backend.post(user, channel, { text: isRaw ? text : escape(text), files, threadTs });
  }

  /** The event about a message that the person has just posted. */
  const messageEvent = (channel: string, { wire }: PostedMessage, more: Fields): Fields => ({
    ...wire,
    ...more,
    channel,
    event_ts: wire["ts"],
    ...(user.teamId !== team.id && { user_team: user.teamId, source_team: user.teamId }),
  });

  async function inChannel(channel: string, text: string, options: MessageOptions) {
    const posted = await post(channel, text, options);
    const { kind } = await backend.channel(channel);
    const [type, name] = kind === "public" ? ["channel", "channels"] : ["group", "groups"];
    const plain = () =>
      event(`message.${name}`, messageEvent(channel, posted, { channel_type: type }));
    return { posted, plain };
  }

  function interact(payload: Fields): Promise<Answer> {
    return deliver({ kind: "interactive", payload: { user: who, ...shared, ...payload } });
  }

  async function clickInMessage(message: ShownMessage, found: FoundElement, choice?: Choice) {
    const { channel, ts, threadTs, isEphemeral = false, blocks, attachments } = message;
    const { name } = await backend.channel(channel);
    const stored = await backend.message(channel, ts);
    const { attachmentId } = found;
    return interact({
      type: "block_actions",
      container: {
        type: attachmentId === undefined ? "message" : "message_attachment",
        message_ts: ts,
        ...(attachmentId !== undefined && { attachment_id: attachmentId }),
        channel_id: channel,
        is_ephemeral: isEphemeral,
        is_app_unfurl: false,
        ...(threadTs !== undefined && { thread_ts: threadTs }),
      },
      channel: { id: channel, name: name || "directmessage" },
      // The payload has the message as the person saw it.
      ...(!isEphemeral && {
        message: {
          type: "message",
          user: message.user,
          ts,
          ...stored?.wire,
          ...(blocks && { blocks }),
          ...(attachments && { attachments }),
        },
      }),
      trigger_id: await backend.newTrigger(user.id),
      response_url: backend.newResponseUrl({ channel, userId: user.id, threadTs, messageTs: ts }),
      state: { values: {} },
      actions: [actionOf(found, backend.newTs(), choice)],
    });
  }

  async function clickInView(view: SlackView, found: FoundElement, choice?: Choice) {
    return interact({
      type: "block_actions",
      container: { type: "view", view_id: view.id },
      view: wireView(team, app.id, view),
      trigger_id: await backend.newTrigger(user.id, view.id),
      actions: [actionOf(found, backend.newTs(), choice)],
    });
  }

  return {
    ...user,
    /** Writes `@app text` in a channel. */
    async mentions(channel: string, text: string, options: MessageOptions = {}): Promise<Sent> {
      const mention = `<@${team.botUserId}> ${options.isRaw ? text : escape(text)}`;
      const { posted, plain } = await inChannel(channel, mention, { ...options, isRaw: true });
      const isBot = user.isBot && { subtype: "bot_message", bot_id: `B${user.id.slice(1)}` };
      const fields = messageEvent(channel, posted, { ...isBot, type: "app_mention" });
      const [answer] = await Promise.all([event("app_mention", fields), plain()]);
      return { ...answer, message: posted.shown };
    },
    /** Writes in a channel without a mention. */
    async says(channel: string, text: string, options: MessageOptions = {}): Promise<Sent> {
      const { posted, plain } = await inChannel(channel, text, options);
      return { ...(await plain()), message: posted.shown };
    },
    /** Writes a direct message to the app. */
    async dm(text: string, options: MessageOptions = {}): Promise<Sent> {
      const channel = await backend.directChannel(user.id);
      const posted = await post(channel, text, options);
      const shares = options.files?.length ? { subtype: "file_share" } : {};
      const fields = messageEvent(channel, posted, { ...shares, channel_type: "im" });
      return { ...(await event("message.im", fields)), message: posted.shown };
    },
    /** Runs a command such as `/kuro`. */
    async slash(channel: string, command: string, text = ""): Promise<Answer> {
      const { name } = await backend.channel(channel);
      const answer = await deliver({
        kind: "slash_commands",
        payload: {
          token: shared.token,
          team_id: team.id,
          team_domain: team.domain,
          channel_id: channel,
          channel_name: name || "directmessage",
          user_id: user.id,
          user_name: user.name,
          command,
          text,
          api_app_id: app.id,
          is_enterprise_install: "false",
          response_url: backend.newResponseUrl({ channel, userId: user.id }),
          trigger_id: await backend.newTrigger(user.id),
        },
      });
      await backend.afterCommand(user.id, channel, answer);
      return answer;
    },
    /** Chooses a shortcut: of a message, or of the search field if there is no message. */
    async shortcut(callbackId: string, message?: ShownMessage): Promise<Answer> {
      const trigger = { trigger_id: await backend.newTrigger(user.id), action_ts: backend.newTs() };
      const callback = { callback_id: callbackId, ...trigger };
      if (!message) return interact({ type: "shortcut", ...callback });
      const { channel, ts, threadTs } = message;
      const { name } = await backend.channel(channel);
      const stored = await backend.message(channel, ts);
      return interact({
        type: "message_action",
        ...callback,
        message_ts: ts,
        message: stored?.wire ?? { type: "message", user: message.user, ts, text: message.text },
        channel: { id: channel, name: name || "directmessage" },
        response_url: backend.newResponseUrl({ channel, userId: user.id, threadTs }),
      });
    },
    /**
     * Clicks a button or chooses from a menu, as the message or the view shows it: an older message
     * object is a click on an outdated card. The person confirms every dialog.
     */
    async click(
      target: ShownMessage | SlackView,
      actionId: string,
      choice?: Choice,
    ): Promise<Answer> {
      const isView = "view" in target;
      const found = isView ? findInView(target, actionId) : findElement(target, actionId);
      if (!found) throw new Error(`There is no ${actionId} in ${JSON.stringify(target)}`);
      return isView ? clickInView(target, found, choice) : clickInMessage(target, found, choice);
    },
    /** Fills in a modal, by action id or block id, and submits it. */
    async submit(view: SlackView, values: Readonly<Record<string, Choice>> = {}): Promise<Answer> {
      const state = { values: fillIn(view, values) };
      const answer = await interact({
        type: "view_submission",
        view: { ...wireView(team, app.id, view), state },
        trigger_id: await backend.newTrigger(user.id, view.id),
        response_urls: [],
      });
      await backend.afterSubmit(view, answer);
      return answer;
    },
    /** Closes a modal without submitting it. */
    async closes(view: SlackView): Promise<Answer | undefined> {
      await backend.close(view);
      if (view.view["notify_on_close"] !== true) return undefined;
      const closed = wireView(team, app.id, view);
      return interact({ type: "view_closed", view: closed, is_cleared: false });
    },
    /** Opens the app's home tab or its messages. */
    async opensHome(tab: "home" | "messages" = "home"): Promise<Answer> {
      const home = tab === "home" ? await backend.home(user.id) : undefined;
      return event("app_home_opened", {
        type: "app_home_opened",
        user: user.id,
        channel: await backend.directChannel(user.id),
        tab,
        event_ts: backend.newTs(),
        ...(home && { view: wireView(team, app.id, home) }),
      });
    },
    /** Opens a new conversation in the older assistant view. */
    async opensAssistant(): Promise<
      Answer & { readonly channel: string; readonly thread: string }
    > {
      const channel = await backend.directChannel(user.id);
      const thread = backend.newTs();
      const assistant_thread = {
        user_id: user.id,
        context: {},
        channel_id: channel,
        thread_ts: thread,
      };
      const fields = { type: "assistant_thread_started", assistant_thread, event_ts: thread };
      return { ...(await event("assistant_thread_started", fields)), channel, thread };
    },
    /** Presses Slack's own Stop button of an agent conversation. */
    stopsSession(channel: string, threadTs: string): Promise<Answer> {
      return event("agent_session_stopped", {
        type: "agent_session_stopped",
        user: user.id,
        channel,
        thread_ts: threadTs,
        streaming_message_ts: [],
        event_ts: backend.newTs(),
      });
    },
    /** Changes the text of an own message. */
    async edits(message: ShownMessage, text: string): Promise<Answer> {
      const { channel, ts } = message;
      const { kind } = await backend.channel(channel);
      const name = { public: "channels", private: "groups", im: "im" }[kind];
      return event(`message.${name}`, {
        type: "message",
        subtype: "message_changed",
        hidden: true,
        channel,
        channel_type: { public: "channel", private: "group", im: "im" }[kind],
        message: { type: "message", user: user.id, ts, text: escape(text) },
        previous_message: { type: "message", user: user.id, ts, text: message.text },
        ts: backend.newTs(),
        event_ts: backend.newTs(),
      });
    },
  };
}

/** Slack escapes these three characters in everything that people type. */
function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
