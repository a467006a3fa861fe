import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { aSlackDoor } from "../../../test/kit/slack-door.ts";
import { aFakeSlack } from "../../../test/kit/slack/fake-slack.ts";
import { decisionValue } from "./button-values.ts";
import { ACTIONS } from "./cards/action-ids.ts";

const mention = { kind: "events_api" } as const;

test.each([
  ["with a wrong signature", { isForged: true }],
  ["without a signature", { without: "x-slack-signature" }],
  ["without a time", { without: "x-slack-request-timestamp" }],
  ["older than five minutes", { skewSeconds: -310 }],
  ["from the future", { skewSeconds: 310 }],
] as const)("a request %s is refused and not stored", async (_, how) => {
  const { slack, core, alice, channel, tasks, lines } = await aSlackDoor({ mode: "http" });
  const sent = await alice.mentions(channel, "集計して");
  await expect.poll(tasks).toHaveLength(1);
  const payload = { ...sent.delivery.payload, event: { ...eventOf(sent.delivery), ts: "9.9" } };

  const answer = await slack.http.sendSigned({ ...mention, payload }, how);

  expect(answer).toMatchObject({ isAcked: false, status: 401 });
  expect(await core.store.listDueSlackDeliveries(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  expect(lines.join("\n")).not.toContain(slack.app.signingSecret);
});

function eventOf({ payload }: { readonly payload: Readonly<Record<string, unknown>> }) {
  const { event } = payload;
  return typeof event === "object" && event !== null ? event : {};
}

test("strangers cannot fill the log", async () => {
  const { slack, lines } = await aSlackDoor({ mode: "http" });

  for (let n = 0; n < 5; n++) {
    await slack.http.sendSigned({ ...mention, payload: {} }, { isForged: true });
  }

  expect(lines.filter((line) => line.includes("was refused"))).toHaveLength(1);
});

test("the address proves itself to Slack, and other methods are refused", async () => {
  const { slack, door } = await aSlackDoor({ mode: "http" });

  expect(await slack.http.verifyUrl()).toBe(true);
  const get = await door.events?.(new Request("http://127.0.0.1/slack/events"));
  expect(get?.status).toBe(405);
});

test("an exact copy of a signed request is acknowledged and has no second effect", async () => {
  const { slack, alice, channel, tasks, core } = await aSlackDoor({ mode: "http" });
  const sent = await alice.mentions(channel, "集計して");
  await expect.poll(tasks).toHaveLength(1);
  if (!sent.request) throw new Error("no request");

  const ran = await alice.slash(channel, "/kuro", "勤怠を まとめて");
  await expect.poll(tasks).toHaveLength(2);
  if (!ran.request) throw new Error("no request");

  expect(await slack.http.replay("events_api", sent.request)).toMatchObject({ isAcked: true });
  expect(await slack.http.replay("slash_commands", ran.request)).toMatchObject({ isAcked: true });

  await core.quiet();
  expect(await tasks()).toHaveLength(2);
});

describe.each(["socket", "http"] as const)("In %s mode", (mode) => {
  test("slow work does not delay the acknowledgement", async () => {
    const { slack, member, acme, tasks, card, told } = await aSlackDoor({ mode });
    const [carol, dave, erin] = [member("carol", "alice"), member("dave"), member("erin")];
    const busy = acme.channel("busy", [carol, dave, erin]);
    slack.faults.add("users.info", { delayMs: 5_000 }, { times: 10 });
    const value = decisionValue({ id: "apr-1", version: 1, shownHash: "0".repeat(64) });
    const shown = await card(busy, "", { [ACTIONS.approvePrompt]: value });

    const answers = await Promise.all([
      carol.mentions(busy, "集計して"),
      dave.click(shown, ACTIONS.approvePrompt),
      erin.slash(busy, "/kuro", "status"),
    ]);

    expect(answers).toMatchObject([{ isAcked: true }, { isAcked: true }, { isAcked: true }]);
    expect(await tasks()).toEqual([]);
    await expect.poll(tasks, { timeout: 20_000 }).toHaveLength(1);
    await expect.poll(() => told(dave), { timeout: 20_000 }).toHaveLength(1);
    await expect.poll(() => told(erin), { timeout: 20_000 }).toHaveLength(1);
  });

  test("a request that was stored and not handled is handled at the next start, once", async () => {
    const kit = await aSlackDoor({ mode, inbox: { drainMs: 1 } });
    const { slack, alice, channel, tasks, door, core, acme } = kit;
    slack.faults.add("users.info", { status: 500 }, { times: 100 });

    const sent = await alice.mentions(channel, "集計して");
    expect(sent.isAcked).toBe(true);
    await door.close();
    expect(await tasks()).toEqual([]);
    slack.faults.clear();
    await kit.open();

    await expect.poll(tasks).toHaveLength(1);
    const key = `msg:${acme.id}:${channel}:${sent.message.ts}`;
    await expect.poll(() => core.store.getSlackDelivery(key)).toMatchObject({ status: "done" });
    expect(await slack.repeat(sent.delivery)).toMatchObject({ isAcked: true });
    await core.quiet();
    expect(await tasks()).toHaveLength(1);
  });

  test("closing waits for work that is under way, and stores what comes meanwhile", async () => {
    const kit = await aSlackDoor({ mode });
    const { slack, alice, channel, tasks, door, core, acme } = kit;
    slack.faults.add("users.info", { delayMs: 1_500 });

    await alice.mentions(channel, "1");
    const closing = door.close();
    const late = await alice.mentions(channel, "2");
    expect(late.isAcked).toBe(true);
    await closing;

    expect(await tasks()).toMatchObject([{ request: "1" }]);
    const key = `msg:${acme.id}:${channel}:${late.message.ts}`;
    expect(await core.store.getSlackDelivery(key)).toMatchObject({ status: "new" });
  });
});

test("clicks and commands that Slack delivers again are answered once", async () => {
  const { slack, alice, channel, card, told, core } = await aSlackDoor();
  const shown = await card(channel, "", { old_button: "1" });
  const click = await alice.click(shown, "old_button");
  const command = await alice.slash(channel, "/kuro", "help");
  await expect.poll(() => told(alice)).toHaveLength(2);

  for (const { delivery } of [click, command, click, command]) {
    expect(await slack.repeat(delivery)).toMatchObject({ isAcked: true, payload: {} });
  }

  await core.quiet();
  expect(await told(alice)).toHaveLength(2);
});

test("closing does not wait for work that hangs, and the next start does it", async () => {
  const kit = await aSlackDoor({ inbox: { drainMs: 50 } });
  const { slack, alice, channel, tasks, door } = kit;
  slack.faults.add("users.info", { delayMs: 60_000 });

  await alice.mentions(channel, "集計して");
  // The call to Slack would end after ten seconds.
  const ended = await Promise.race([door.close().then(() => "closed"), sleep(8_000, "waited")]);
  expect(ended).toBe("closed");
  expect(await tasks()).toEqual([]);
  await kit.open();

  await expect.poll(tasks).toHaveLength(1);
});

test("a request that fails is tried again, and given up with an answer", async () => {
  const { slack, alice, channel, acme, core, tasks, told, lines } = await aSlackDoor({
    inbox: { retryDelaysMs: [1, 1] },
  });
  slack.faults.add("users.info", { status: 500 }, { times: 2 });
  await alice.mentions(channel, "1");
  await expect.poll(tasks).toHaveLength(1);

  core.advance(10 * 60_000);
  slack.faults.add("users.info", { status: 500 }, { times: 3 });
  const sent = await alice.mentions(channel, "2");

  await expect.poll(() => told(alice)).toEqual([expect.stringContaining("処理できません")]);
  expect(await tasks()).toHaveLength(1);
  const key = `msg:${acme.id}:${channel}:${sent.message.ts}`;
  expect(await core.store.getSlackDelivery(key)).toMatchObject({ status: "failed", tries: 3 });
  expect(lines.some((line) => line.includes("giving up"))).toBe(true);
});

test("no event is lost while Slack renews a connection", async () => {
  const { slack, acme, core } = await aSlackDoor();
  const sent: ReturnType<typeof acme.event>[] = [];
  for (let n = 0; n < 100; n++) {
    if (n === 20) slack.sockets.sockets()[0]?.disconnect("refresh_requested");
    sent.push(acme.event({ type: "subteam_members_changed", subteam_id: `S${n}` }));
    await sleep(5);
  }
  const keys = (await Promise.all(sent)).map(
    ({ delivery }) => `ev:${slack.app.id}:${String(delivery.payload["event_id"])}`,
  );

  const states = () =>
    Promise.all(keys.map(async (key) => (await core.store.getSlackDelivery(key))?.status));
  await expect.poll(async () => new Set(await states())).toEqual(new Set(["done"]));
  expect(new Set(keys).size).toBe(100);
  await slack.sockets.connected(2);
  expect(slack.sockets.opened()).toBe(3);
});

test("the door connects again after Slack was down, and nothing is lost", async () => {
  const { slack, alice, channel, tasks } = await aSlackDoor();
  await slack.goDown();
  await sleep(300);
  await slack.comeBack();
  await slack.sockets.connected(1);

  await alice.mentions(channel, "集計して");

  await expect.poll(tasks).toHaveLength(1);
});

test("a workspace without the app is ignored, and its tokens are forgotten when it leaves", async () => {
  const { slack, core, tasks, workspaces, acme } = await aSlackDoor();
  const other = slack.workspace("other");
  const eve = other.person("eve");
  await core.store.transaction((unit) =>
    unit.putSlackInstallation({
      team: other.id,
      enterprise: null,
      botUser: "UBOT",
      secret: "encrypted",
      scopes: [],
      installedBy: eve.id,
      at: 1,
    }),
  );

  expect(await eve.dm("集計して")).toMatchObject({ isAcked: true });
  await other.uninstall();

  await expect.poll(() => core.store.getSlackInstallation(other.id)).toBeUndefined();
  expect(await tasks()).toEqual([]);
  expect(workspaces).toEqual([acme]);
});

test("requests of two workspaces never use each other's token", async () => {
  const { slack, acme, workspaces, settings, tasks, core } = await aSlackDoor();
  const umbrella = slack.workspace("umbrella");
  workspaces.push(umbrella);
  const strange = umbrella.person("strange");
  const places = [acme, umbrella].map((workspace) => {
    const user = workspace.person("dora");
    settings.people.push({ user: user.id, team: workspace.id, person: "alice" });
    // Without a workspace an entry is about the home workspace only.
    if (workspace === umbrella) settings.people.push({ user: strange.id, person: "alice" });
    return { workspace, user, channel: workspace.channel("busy", [user]) };
  });
  slack.calls.length = 0;

  const sent = Array.from({ length: 10 }, () =>
    places.map(({ user, channel }) => user.mentions(channel, "集計して")),
  );
  await Promise.all(sent.flat());
  await Promise.all(places.map(({ user, channel }) => user.slash(channel, "/kuro", "status")));

  await expect.poll(tasks).toHaveLength(20);
  await strange.dm("集計して");
  await expect.poll(() => umbrella.ephemerals(strange.id)).toHaveLength(1);
  expect(await tasks()).toHaveLength(20);
  await core.quiet();
  const teamOf = (user: unknown) =>
    places.find((each) => each.user.id === user)?.workspace.id ?? umbrella.id;
  const asked = slack.callsOf("users.info");
  expect(asked.length).toBeGreaterThan(1);
  for (const { teamId, body } of asked) expect(teamId).toBe(teamOf(body["user"]));
  const threads = await Promise.all(
    (await tasks()).map(({ id }) => core.store.listSlackThreadsOfTask(id)),
  );
  for (const { team, user } of threads.flat()) expect(team).toBe(teamOf(user));
});

test("tokens and secrets are in no log line and in no stored request", async () => {
  const { slack, acme, alice, channel, core, lines, tasks } = await aSlackDoor({ mode: "http" });
  slack.faults.add("users.info", { error: "invalid_auth" });
  await alice.mentions(channel, "1");
  await alice.slash(channel, "/kuro", "help");
  const sent = await alice.mentions(channel, "2");
  await expect.poll(tasks).toHaveLength(1);

  const key = `msg:${acme.id}:${channel}:${sent.message.ts}`;
  const stored = await core.store.getSlackDelivery(key);
  const written = `${lines.join("\n")}${JSON.stringify(stored)}`;
  for (const secret of [
    acme.botToken.value,
    slack.app.appToken,
    slack.app.signingSecret,
    "verification",
  ]) {
    expect(written).not.toContain(secret);
  }
});

test("a wrong app token is named in the log, and a repaired one connects", async () => {
  const slack = await aFakeSlack();
  slack.faults.add("apps.connections.open", { error: "invalid_auth" }, { times: 4 });

  const { alice, channel, tasks, lines } = await aSlackDoor({ slack });
  await alice.mentions(channel, "集計して");

  await expect.poll(tasks).toHaveLength(1);
  const warning = lines.find((line) => line.includes("Cannot connect to Slack"));
  expect(warning).toContain("invalid_auth");
  expect(warning).toContain("slack doctor");
});

test("an unreachable Slack at the start does not keep the daemon from starting", async () => {
  const slack = await aFakeSlack();
  await slack.goDown();
  const opening = aSlackDoor({ slack });
  await sleep(200);
  await slack.comeBack();

  const { alice, channel, tasks } = await opening;
  await alice.mentions(channel, "集計して");
  await expect.poll(tasks).toHaveLength(1);
});
