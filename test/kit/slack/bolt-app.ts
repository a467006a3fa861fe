import { App, HTTPReceiver, SocketModeReceiver, type Receiver } from "@slack/bolt";
import { expect, onTestFinished } from "vitest";
import { aFreePort } from "../free-port.ts";
import { SILENT } from "./client.ts";
import type { SlackApp } from "./shapes.ts";

export type BoltApp = {
  readonly app: App;
  /** The texts of the events that the app has handled, oldest first. */
  readonly handled: string[];
  /** HTTP mode only: the address for everything. */
  readonly url: string;
  stop(): Promise<void>;
};

export type BoltOptions = {
  readonly slackApp: SlackApp;
  readonly apiUrl: string;
  readonly mode: "socket" | "http";
  /** Bot tokens by workspace. */
  readonly tokens: Readonly<Record<string, string>>;
};

const STEADY = { retries: 1_000, factor: 1, minTimeout: 100, maxTimeout: 100 };

/** A small app on the real Bolt: a card with buttons, a modal, a command and a home tab. */
export async function aBoltApp({ slackApp, apiUrl, mode, tokens }: BoltOptions): Promise<BoltApp> {
  // Each use needs its own object: the Socket Mode client writes into it.
  const clientOptions = () => ({
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });
  const port = await aFreePort();
  let connecting = 0;
  function aSocketReceiver(): Receiver {
    const receiver = new SocketModeReceiver({
      appToken: slackApp.appToken,
      clientPingTimeout: 200,
      logger: SILENT,
      // Without retries the client gives up for good when Slack cannot be reached.
      installerOptions: { clientOptions: { ...clientOptions(), retryConfig: STEADY } },
    });
    receiver.client.on("reconnecting", () => (connecting += 1));
    receiver.client.on("connected", () => (connecting -= 1));
    connecting += 1;
    return receiver;
  }
  const receivers: Receiver[] =
    mode === "http"
      ? [new HTTPReceiver({ signingSecret: slackApp.signingSecret, port, logger: SILENT })]
      : [aSocketReceiver(), aSocketReceiver()];
  const [receiver, ...others] = receivers;
  if (!receiver) throw new Error("no receiver");
  const app = new App({
    receiver,
    logger: SILENT,
    clientOptions: clientOptions(),
    convoStore: false,
    authorize: async ({ teamId = "" }) => ({ botToken: tokens[teamId] ?? "none", botId: "B0" }),
  });
  const handled: string[] = [];
  listen(app, handled);
  for (const other of others) other.init(app);
  await Promise.all(receivers.map((each) => each.start(port)));
  let isStopped = false;
  async function stop() {
    if (isStopped) return;
    isStopped = true;
    // A client that is stopped while it connects leaves an unhandled rejection behind.
    await expect.poll(() => connecting).toBe(0);
    await Promise.all(receivers.map((each) => each.stop()));
  }
  onTestFinished(stop);
  return { app, handled, url: `http://127.0.0.1:${port}/slack/events`, stop };
}

const plain = (text: string) => ({ type: "plain_text" as const, text });

export function card(state: string, buttons: readonly string[]) {
  const section = {
    type: "section" as const,
    text: { type: "mrkdwn" as const, text: `*${state}*` },
  };
  const elements = buttons.map((name) => ({
    type: "button" as const,
    text: plain(name),
    action_id: name,
    value: `v1:${state}`,
  }));
  const actions = elements.length > 0 ? [{ type: "actions" as const, elements }] : [];
  const blocks = [section, ...actions];
  return { text: "", attachments: [{ color: "#2196f3", fallback: state, blocks }] };
}

function listen(app: App, handled: string[]): void {
  app.event("app_mention", async ({ event, say }) => {
    handled.push(event.text);
    await say({
      thread_ts: event.thread_ts ?? event.ts,
      ...card("waiting", ["approve", "reject"]),
      metadata: { event_type: "card", event_payload: { key: event.ts } },
    });
  });
  app.message(async ({ message, say }) => {
    if (message.subtype === undefined || message.subtype === "file_share") {
      handled.push(message.text ?? "");
      await say({ text: "hello", thread_ts: message.ts });
    }
  });
  app.action("approve", async ({ ack, body, action, client }) => {
    await ack();
    if (body.type !== "block_actions" || action.type !== "button" || !body.channel) return;
    handled.push(`approve ${action.value} by ${body.user.id}`);
    await client.chat.update({
      channel: body.channel.id,
      ts: body.message?.ts ?? "",
      ...card("approved", []),
    });
  });
  app.action("reject", async ({ ack, body, client }) => {
    await ack();
    if (body.type !== "block_actions") return;
    const private_metadata = JSON.stringify([body.channel?.id, body.message?.ts]);
    const element = { type: "plain_text_input" as const, action_id: "text", min_length: 1 };
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: "modal",
        callback_id: "reject",
        private_metadata,
        title: plain("Reject"),
        submit: plain("Send"),
        blocks: [{ type: "input", block_id: "reason", label: plain("Reason"), element }],
      },
    });
  });
  app.view("reject", async ({ ack, view, client, body }) => {
    const reason = view.state.values["reason"]?.["text"]?.value?.trim() ?? "";
    if (reason === "") {
      await ack({ response_action: "errors", errors: { reason: "Give a reason." } });
      return;
    }
    await ack();
    const [channel, ts]: string[] = JSON.parse(view.private_metadata);
    await client.chat.update({
      channel: channel ?? "",
      ts: ts ?? "",
      ...card(`rejected: ${reason}`, []),
    });
    await client.chat.postEphemeral({
      channel: channel ?? "",
      user: body.user.id,
      text: "Thank you.",
    });
  });
  app.command("/kuro", async ({ ack, command, respond }) => {
    await ack(`You said ${command.text}.`);
    await respond({ text: "More later." });
  });
  app.shortcut("from_message", async ({ ack, shortcut }) => {
    await ack();
    if (shortcut.type === "message_action") handled.push(`shortcut ${shortcut.message.text}`);
  });
  app.event("app_home_opened", async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: "home", blocks: [{ type: "section", text: plain(`Hello ${event.tab}`) }] },
    });
  });
  app.event("agent_session_stopped", async ({ event }) => {
    handled.push(`stopped ${JSON.stringify(event)}`);
  });
  app.error(async (error) => {
    handled.push(`error ${error.message}`);
  });
}
