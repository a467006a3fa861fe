import { expect, test } from "vitest";
import { aBoltApp } from "./bolt-app.ts";
import { aFakeSlack, type FakeSlack, type FakeSlackOptions } from "./fake-slack.ts";
import type { Workspace } from "./workspace.ts";

type Mode = "socket" | "http";

function startBolt(slack: FakeSlack, workspaces: readonly Workspace[], mode: Mode = "socket") {
  const tokens = Object.fromEntries(workspaces.map(({ id, botToken }) => [id, botToken.value]));
  return aBoltApp({ slackApp: slack.app, apiUrl: slack.apiUrl, mode, tokens });
}

async function setUp(options: FakeSlackOptions) {
  const slack = await aFakeSlack(options);
  const workspace = slack.workspace("acme");
  const alice = workspace.person("alice");
  const channel = workspace.channel("general", [alice]);
  const start = () => startBolt(slack, [workspace], options.mode);
  return { slack, workspace, alice, channel, start };
}

test("A ticket opens one socket, and the sockets take turns", async () => {
  const { slack, alice, channel, start } = await setUp({});
  const { handled } = await start();
  await slack.sockets.connected(2);
  const url = String(slack.callsOf("apps.connections.open")[0]?.answer?.["url"]);
  const second = new WebSocket(url);
  const result = new Promise((resolve) => {
    second.addEventListener("error", () => resolve("refused"));
    second.addEventListener("open", () => resolve("opened"));
  });
  expect(await result).toBe("refused");
  await Promise.all(["a", "b", "c", "d"].map((text) => alice.mentions(channel, text)));
  expect(slack.sockets.sockets().map(({ delivered }) => delivered)).toEqual([2, 2]);
  await expect.poll(() => handled).toHaveLength(4);
});

test("The app gets every event while one of its sockets is replaced", async () => {
  const { slack, alice, channel, start } = await setUp({});
  const { handled } = await start();
  await slack.sockets.connected(2);
  const texts = Array.from({ length: 30 }, (_, index) => `task ${index}`);
  const sending = Promise.all(texts.map((text) => alice.mentions(channel, text)));
  slack.sockets.sockets()[0]?.disconnect("refresh_requested");
  expect((await sending).every(({ isAcked }) => isAcked)).toBe(true);
  await slack.sockets.connected(2);
  slack.sockets.sockets()[0]?.disconnect("warning");
  slack.sockets.sockets()[0]?.cut();
  await slack.sockets.connected(2);
  expect(new Set(handled).size).toBe(30);
});

test("Slack delivers an event again if the socket is cut before the acknowledgement", async () => {
  const { slack, alice, channel, start } = await setUp({ retryDelaysMs: [10, 500, 20_000] });
  const { handled } = await start();
  await slack.sockets.connected(2);
  for (const socket of slack.sockets.sockets()) socket.cut();
  const { isAcked, attempts } = await alice.mentions(channel, "hello");
  expect(isAcked).toBe(true);
  expect(attempts[0]).toMatchObject({ isAcked: false });
  await expect.poll(() => handled).toHaveLength(1);
  await slack.sockets.connected(2);
});

test("Slack tries again with an event that is not acknowledged, but not with a click", async () => {
  const options = { ackWithinMs: 50, retryDelaysMs: [1, 1, 1] };
  const { slack, workspace, alice, channel, start } = await setUp(options);
  const bolt = await start();
  await slack.sockets.connected(2);
  const seen: unknown[] = [];
  // Bolt acknowledges an event before it calls listeners, so this takes the place of the app.
  bolt.app.processEvent = async ({ retryNum, retryReason }) => {
    seen.push([retryNum, retryReason]);
  };
  const { isAcked, attempts } = await alice.mentions(channel, "hello");
  expect(isAcked).toBe(false);
  expect(attempts.map(({ reason }) => reason)).toEqual(Array(4).fill("timeout"));
  expect(seen).toEqual([
    [0, ""],
    [1, "timeout"],
    [2, "timeout"],
    [3, "timeout"],
  ]);
  expect(await alice.slash(channel, "/kuro")).toMatchObject({ attempts: { length: 1 } });
  expect(await workspace.ephemerals(alice.id)).toEqual([]);
});

test("Slack can deliver the same event twice", async () => {
  const { slack, alice, channel, start } = await setUp({});
  const { handled } = await start();
  const { delivery } = await alice.mentions(channel, "hello");
  expect(await slack.repeat(delivery)).toMatchObject({ isAcked: true });
  await expect.poll(() => handled).toHaveLength(2);
});

test("The app connects again after Slack was down", async () => {
  const { slack, alice, channel, start } = await setUp({});
  const { handled } = await start();
  await slack.sockets.connected(2);
  await slack.goDown();
  expect(await alice.slash(channel, "/kuro")).toMatchObject({ reason: "no_socket" });
  await slack.comeBack();
  await slack.sockets.connected(2);
  await alice.mentions(channel, "hello");
  await expect.poll(() => handled).toHaveLength(1);
});

test("In HTTP mode a wrong or old signature is refused and a replay is accepted", async () => {
  const { slack, alice, channel, start } = await setUp({ mode: "http" });
  const bolt = await start();
  slack.http.sendTo(bolt.url);
  expect(await slack.http.verifyUrl()).toBe(true);
  const { delivery, request } = await alice.mentions(channel, "hello");
  if (!request) throw new Error("no request");
  const statusOf = async (options: Parameters<typeof slack.http.sendSigned>[1]) =>
    (await slack.http.sendSigned(delivery, options)).status;
  expect(await statusOf({ isForged: true })).toBe(401);
  expect(await statusOf({ without: "x-slack-signature" })).toBe(401);
  expect(await statusOf({ skewSeconds: -301 })).toBe(401);
  // Bolt itself accepts the future and a replay; the app has to refuse them.
  expect(await statusOf({ skewSeconds: 3_600 })).toBe(200);
  expect(await slack.http.replay("events_api", request)).toMatchObject({ status: 200 });
  await expect.poll(() => bolt.handled).toHaveLength(3);
});

test("In HTTP mode Slack tries again while the app is down and stops when it answers", async () => {
  const retryDelaysMs = [10, 500, 20_000];
  const { slack, alice, channel, start } = await setUp({ mode: "http", retryDelaysMs });
  slack.http.sendTo("http://127.0.0.1:1/slack/events");
  const sending = alice.mentions(channel, "hello");
  const bolt = await start();
  slack.http.sendTo(bolt.url);
  const { isAcked, attempts } = await sending;
  expect(isAcked).toBe(true);
  expect(attempts[0]).toMatchObject({ reason: "connection_failed" });
  expect(attempts.at(-1)?.request?.headers).toMatchObject({
    "x-slack-retry-reason": "connection_failed",
  });
});

test("The token of each workspace is used for its own events", async () => {
  const slack = await aFakeSlack();
  const [first, second] = [slack.workspace("first"), slack.workspace("second")];
  const places = [first, second].map((workspace) => {
    const person = workspace.person("alice");
    return { workspace, person, channel: workspace.channel("general", [person]) };
  });
  await startBolt(slack, [first, second]);
  await Promise.all(
    Array.from({ length: 10 }, async () =>
      Promise.all(places.map(({ person, channel }) => person.mentions(channel, "hello"))),
    ),
  );
  await expect.poll(() => first.cards()).toHaveLength(10);
  await expect.poll(() => second.cards()).toHaveLength(10);
});

test("An uninstalled app gets the events and its token is inactive", async () => {
  const { slack, workspace, alice, channel, start } = await setUp({});
  const bolt = await start();
  const seen: string[] = [];
  bolt.app.event("app_uninstalled", async ({ event }) => void seen.push(event.type));
  bolt.app.event("tokens_revoked", async ({ event }) => void seen.push(event.type));
  await workspace.uninstall();
  await expect.poll(() => seen.toSorted()).toEqual(["app_uninstalled", "tokens_revoked"]);
  await alice.mentions(channel, "hello");
  await expect.poll(() => bolt.handled.at(-1)).toContain("account_inactive");
  expect(slack.callsOf("chat.postMessage").at(-1)?.answer).toMatchObject({ ok: false });
});

test("A change of a user group is an event and changes the list", async () => {
  const { workspace, alice, start } = await setUp({});
  const bolt = await start();
  const seen: unknown[] = [];
  bolt.app.event("subteam_members_changed", async ({ event, client }) => {
    const { users } = await client.usergroups.users.list({ usergroup: event.subteam_id });
    seen.push([event.added_users, event.removed_users, users]);
  });
  const group = workspace.userGroup("approvers", []);
  await alice.joinsUserGroup(group);
  await expect.poll(() => seen).toEqual([[[alice.id], [], [alice.id]]]);
  await alice.leavesUserGroup(group);
  await expect.poll(() => seen.at(-1)).toEqual([[], [alice.id], []]);
});

test("Payloads tell people of other workspaces and other bots apart", async () => {
  const { workspace, alice, start } = await setUp({});
  const stranger = workspace.person("stranger", { teamId: "T404" });
  const bot = workspace.person("robot", { isBot: true });
  const channel = workspace.channel("shared", [alice, stranger, bot]);
  await start();
  const asked = await stranger.mentions(channel, "hello");
  expect(asked.delivery.payload).toMatchObject({
    team_id: workspace.id,
    authorizations: [{ team_id: workspace.id }],
    event: { user: stranger.id, user_team: "T404" },
    is_ext_shared_channel: true,
  });
  await expect.poll(() => workspace.cards()).toHaveLength(1);
  const [card] = await workspace.cards();
  if (!card) throw new Error("no card");
  const { delivery } = await stranger.click(card, "approve");
  expect(delivery.payload).toMatchObject({
    team: { id: workspace.id },
    user: { id: stranger.id, team_id: "T404" },
  });
  const { payload } = (await bot.mentions(channel, "beep")).delivery;
  expect(payload["event"]).toMatchObject({
    subtype: "bot_message",
    bot_id: expect.stringMatching(/^B/),
  });
});

test("Slack delivers only the events that the app has subscribed to", async () => {
  const { alice, channel, start } = await setUp({ app: { events: new Set(["message.channels"]) } });
  const { handled } = await start();
  expect(await alice.mentions(channel, "one")).toMatchObject({ reason: "not_subscribed" });
  expect(await alice.says(channel, "two")).toMatchObject({ isAcked: true });
  await expect.poll(() => handled).toEqual([expect.stringContaining("one"), "two"]);
  expect(await alice.opensHome()).toMatchObject({ isAcked: false, attempts: [] });
});
