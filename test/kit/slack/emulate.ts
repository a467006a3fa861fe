import { createEmulator } from "emulate";
import { onTestFinished } from "vitest";
import { fieldsOf, textOf, type Fields } from "../../../src/base/narrow.ts";
import { aFreePort } from "../free-port.ts";
import type { Backend, Draft, PostedMessage } from "./backend.ts";
import { deliver } from "./delivery.ts";
import { listOf } from "./elements.ts";
import { seedOf, shownOf, TEAM, userOf, viewOf } from "./emulator-data.ts";
import { startFront } from "./emulator-front.ts";
import { anHttpMode } from "./http-mode.ts";
import { aPerson, type Person } from "./person.ts";
import type { ShownMessage, SlackView } from "./shapes.ts";
import type { Reading } from "./workspace.ts";
import { anId, aWorld, randomHex } from "./world.ts";

const CHANNEL_TYPES = "public_channel,private_channel,im";

type Target = Parameters<Backend["newResponseUrl"]>[0];

/**
 * An emulator of Slack that others have written, for the same people and the same reading as on the
 * fake. It keeps messages, views and files. The payloads for the app are ours: it has none.
 */
export async function anEmulatedSlack(names: readonly string[], channelName = "work") {
  const { app, newTs } = aWorld();
  const bot = { botUserId: anId("U"), botId: anId("B") };
  const team = { ...TEAM, ...bot };
  const [port, emulatorPort] = [await aFreePort(), await aFreePort()];
  const url = `http://127.0.0.1:${port}`;
  const emulatorUrl = `http://127.0.0.1:${emulatorPort}`;
  const botToken = `xoxb-${randomHex(12)}`;
  const tokens = new Map(names.map((name) => [name, `xoxp-${randomHex(12)}`]));
  const emulator = await createEmulator({
    service: "slack",
    port: emulatorPort,
    baseUrl: url,
    seed: { slack: seedOf(app, bot, botToken, tokens, channelName) },
  });
  const http = anHttpMode(app.signingSecret, 3_000);
  const ending = new AbortController();
  const rules = { delaysMs: [200, 5_000, 25_000], signal: ending.signal };

  /** Calls the emulator itself, as the app or as a person. */
  async function call(method: string, body: Fields, token = botToken): Promise<Fields> {
    const response = await fetch(`${emulatorUrl}/api/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = fieldsOf(await response.json());
    if (answer["ok"] !== true) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    return answer;
  }

  const triggers = new Map<string, string>();
  const targets = new Map<string, Target>();
  const modals = new Map<string, SlackView[]>();
  const homes = new Map<string, SlackView>();
  const ephemerals: { readonly user: string; readonly message: ShownMessage }[] = [];

  /** The emulator has no call that reads views, so its answers to the app are kept. */
  function accepted(method: string, body: Fields, answer: Fields): void {
    if (method === "chat.postEphemeral") {
      const message = { ...body, ts: answer["message_ts"], user: team.botUserId };
      const user = textOf(body["user"]) ?? "";
      ephemerals.push({ user, message: { ...shownOf(message), isEphemeral: true } });
    }
    if (!method.startsWith("views.")) return;
    const owner = triggers.get(textOf(body["trigger_id"]) ?? "") ?? textOf(body["user_id"]) ?? "";
    const view = viewOf(fieldsOf(answer["view"]), owner);
    const stack = modals.get(owner) ?? [];
    if (method === "views.publish") homes.set(owner, view);
    if (method === "views.open") modals.set(owner, [view]);
    if (method === "views.push") modals.set(owner, [...stack, view]);
    if (method === "views.update") replace(view);
  }

  function replace(view: SlackView): void {
    for (const [user, stack] of modals) {
      const next = stack.map((each) => (each.id === view.id ? { ...view, userId: user } : each));
      modals.set(user, next);
    }
  }

  function drop({ id, userId }: SlackView): void {
    const stack = modals.get(userId) ?? [];
    modals.set(
      userId,
      stack.filter((each) => each.id !== id),
    );
  }

  async function respond(id: string, body: Fields): Promise<void> {
    const target = targets.get(id);
    if (!target) throw new Error("expired_url");
    const { channel, userId: user, messageTs: ts, threadTs: thread_ts } = target;
    if (body["delete_original"] === true) await call("chat.delete", { channel, ts });
    else if (body["replace_original"] === true) await call("chat.update", { ...body, channel, ts });
    else if (body["response_type"] === "in_channel")
      await call("chat.postMessage", { thread_ts, ...body, channel });
    else await showOnlyTo(user, { thread_ts, ...body, channel });
  }

  async function showOnlyTo(user: string, message: Fields): Promise<void> {
    const body = { ...message, user };
    accepted("chat.postEphemeral", body, await call("chat.postEphemeral", body));
  }

  const front = await startFront({ port, emulatorUrl, accepted, respond });
  onTestFinished(async () => {
    ending.abort();
    await front.close();
    await emulator.close();
  });

  const readThread = async (channel: string, ts: string) =>
    listOf((await call("conversations.replies", { channel, ts }))["messages"]).map((wire) => ({
      wire,
      shown: shownOf({ ...wire, channel }),
    }));

  async function upload(draft: Draft, channel: string, token: string): Promise<PostedMessage> {
    const files = await Promise.all(
      (draft.files ?? []).map(async ({ name, content }) => {
        const { length } = Buffer.from(content);
        const place = await call("files.getUploadURLExternal", { filename: name, length }, token);
        await fetch(String(place["upload_url"]), { method: "POST", body: Buffer.from(content) });
        return { id: place["file_id"], title: name };
      }),
    );
    const shared = { channel_id: channel, thread_ts: draft.threadTs, initial_comment: draft.text };
    await call("files.completeUploadExternal", { files, ...shared }, token);
    const { messages } = await call("conversations.history", { channel });
    const ids = files.map(({ id }) => id);
    const all = draft.threadTs ? await readThread(channel, draft.threadTs) : [];
    const wires = [...all.map(({ wire }) => wire), ...listOf(messages)];
    const found = wires.find((wire) => listOf(wire["files"]).some(({ id }) => ids.includes(id)));
    if (!found) throw new Error("The emulator has lost the message with the files.");
    return { wire: found, shown: shownOf({ ...found, channel }) };
  }

  const backend: Backend = {
    app,
    team,
    newTs,
    async channel(id) {
      const channel = fieldsOf((await call("conversations.info", { channel: id }))["channel"]);
      const kind = channel["is_im"] ? "im" : channel["is_private"] ? "private" : "public";
      return { kind, name: textOf(channel["name"]) ?? "" };
    },
    async directChannel(userId) {
      const { channel } = await call("conversations.open", { users: userId });
      return String(fieldsOf(channel)["id"]);
    },
    async post(user, channel, draft) {
      const token = tokens.get(user.name) ?? "";
      if (draft.files?.length) return upload(draft, channel, token);
      const body = { channel, text: draft.text, thread_ts: draft.threadTs };
      const { message } = await call("chat.postMessage", body, token);
      const wire = fieldsOf(message);
      return { wire, shown: shownOf({ ...wire, channel }) };
    },
    message: async (channel, ts) =>
      (await readThread(channel, ts)).find(({ shown }) => shown.ts === ts),
    async newTrigger(userId, viewId) {
      const body = { user_id: userId, ...(viewId !== undefined && { view_id: viewId }) };
      const trigger = String((await call("views.generateTriggerId", body))["trigger_id"]);
      triggers.set(trigger, userId);
      return trigger;
    },
    newResponseUrl(target) {
      const id = randomHex(12);
      targets.set(id, target);
      return `${url}/actions/${id}`;
    },
    async afterSubmit(view, { isAcked, payload }) {
      if (!isAcked) return;
      const { response_action: action, view: next, errors } = payload;
      if (action === "errors") replace({ ...view, errors: fieldsOf(errors) });
      else if (action === "update") {
        const body = { view_id: view.id, view: next };
        accepted("views.update", body, await call("views.update", body));
      } else if (action === "push") {
        const body = { trigger_id: await backend.newTrigger(view.userId, view.id), view: next };
        accepted("views.push", body, await call("views.push", body));
      } else if (action === "clear") modals.delete(view.userId);
      else drop(view);
    },
    close: async (view) => drop(view),
    async afterCommand(userId, channel, { isAcked, payload }) {
      if (!isAcked || Object.keys(payload).length === 0) return;
      if (payload["response_type"] !== "in_channel")
        return showOnlyTo(userId, { ...payload, channel });
      await call("chat.postMessage", { ...payload, channel });
    },
    home: async (userId) => homes.get(userId),
    deliver: (delivery) => deliver((each, retry) => http.transport(each, retry), delivery, rules),
  };

  const reading: Reading = {
    thread: async (channel, ts) => (await readThread(channel, ts)).map(({ shown }) => shown),
    async cards() {
      const { channels } = await call("conversations.list", { types: CHANNEL_TYPES });
      const lists = await Promise.all(
        listOf(channels).map(async ({ id }) => {
          const { messages } = await call("conversations.history", { channel: id, limit: 1_000 });
          const roots = listOf(messages).map(({ ts }) => readThread(String(id), String(ts)));
          return (await Promise.all(roots)).flat();
        }),
      );
      return lists
        .flat()
        .map(({ shown }) => shown)
        .filter(({ user }) => user === team.botUserId)
        .filter(({ blocks, attachments }) => blocks?.length || attachments?.length)
        .sort((a, b) => Number(a.ts) - Number(b.ts));
    },
    ephemerals: async (userId) =>
      ephemerals.filter(({ user }) => user === userId).map(({ message }) => message),
    modal: async (userId) => modals.get(userId)?.at(-1),
    home: async (userId) => homes.get(userId),
  };

  const { members } = await call("users.list", {});
  const people = new Map<string, Person>();
  for (const member of listOf(members)) {
    const user = userOf(member);
    if (names.includes(user.name)) people.set(user.name, aPerson(backend, user));
  }
  const { channels } = await call("conversations.list", {});
  const channel = String(listOf(channels).find(({ name }) => name === channelName)?.["id"]);
  await call("conversations.join", { channel });

  return {
    ...reading,
    app,
    id: team.id,
    team,
    /** For `slackApiUrl` and `SLACK_API_URL`. */
    apiUrl: `${url}/api/`,
    botToken: { value: botToken },
    http,
    channel,
    /** One of the people that the workspace began with. */
    person(name: string): Person {
      const person = people.get(name);
      if (!person) throw new Error(`The emulator has no ${name}.`);
      return person;
    },
  };
}
