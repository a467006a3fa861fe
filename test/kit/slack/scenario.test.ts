import { describe, expect, test } from "vitest";
import { aBoltApp } from "./bolt-app.ts";
import { actionIdsOf } from "./elements.ts";
import { anEmulatedSlack } from "./emulate.ts";
import { aFakeSlack } from "./fake-slack.ts";
import { textsOf } from "./texts.ts";

const PLACES = {
  "the fake Slack in Socket Mode": () => onFake("socket"),
  "the fake Slack in HTTP mode": () => onFake("http"),
  "the emulator in HTTP mode": onEmulator,
};

async function onFake(mode: "socket" | "http") {
  const slack = await aFakeSlack({ mode });
  const workspace = slack.workspace("acme");
  const alice = workspace.person("alice");
  const channel = workspace.channel("general", [alice]);
  const tokens = { [workspace.id]: workspace.botToken.value };
  const bolt = await aBoltApp({ slackApp: slack.app, apiUrl: slack.apiUrl, mode, tokens });
  if (mode === "http") slack.http.sendTo(bolt.url);
  else await slack.sockets.connected(2);
  return { slack: workspace, alice, channel, bolt };
}

async function onEmulator() {
  const slack = await anEmulatedSlack(["alice"]);
  const { app: slackApp, apiUrl, channel } = slack;
  const tokens = { [slack.id]: slack.botToken.value };
  const bolt = await aBoltApp({ slackApp, apiUrl, mode: "http", tokens });
  slack.http.sendTo(bolt.url);
  return { slack, alice: slack.person("alice"), channel, bolt };
}

describe.each(Object.entries(PLACES))("A real Bolt app on %s", (_, open) => {
  async function setUp() {
    const place = await open();
    const { slack, alice, channel } = place;
    /** Mentions the app and returns the thread and the card that it answers with. */
    async function ask(text: string) {
      const sent = await alice.mentions(channel, text);
      expect(sent).toMatchObject({ isAcked: true, attempts: { length: 1 } });
      const { ts } = sent.message;
      await expect.poll(() => slack.thread(channel, ts)).toHaveLength(2);
      const readCard = async () => {
        const [, card] = await slack.thread(channel, ts);
        if (!card) throw new Error("no card");
        return card;
      };
      return { question: sent.message, card: await readCard(), readCard };
    }
    return { ...place, ask };
  }

  test("answers a mention with a card in the thread and updates it after a click", async () => {
    const { slack, alice, bolt, ask } = await setUp();
    const { card, readCard } = await ask("count the <hours>");
    expect(bolt.handled).toEqual([`<@${slack.team.botUserId}> count the &lt;hours&gt;`]);
    expect(actionIdsOf(card)).toEqual(["approve", "reject"]);
    expect(card.attachments).toMatchObject([{ color: "#2196f3" }]);

    expect(await alice.click(card, "approve")).toMatchObject({ isAcked: true });
    await expect.poll(async () => textsOf(await readCard())).toBe("*approved*");
    expect(bolt.handled.at(-1)).toBe(`approve v1:waiting by ${alice.id}`);
    expect(await slack.cards()).toHaveLength(1);

    // The old card still has its buttons for a person who has not seen the new one.
    expect(await alice.click(card, "approve")).toMatchObject({ isAcked: true });
    const now = await readCard();
    await expect(alice.click(now, "approve")).rejects.toThrow("There is no approve");
  });

  test("opens a modal, refuses an empty reason and takes a good one", async () => {
    const { slack, alice, ask } = await setUp();
    const { card, readCard } = await ask("count the hours");
    expect(await alice.click(card, "reject")).toMatchObject({ isAcked: true });
    await expect.poll(() => slack.modal(alice.id)).toBeDefined();
    const modal = await slack.modal(alice.id);
    if (!modal) throw new Error("no modal");
    await expect(alice.submit(modal, {})).rejects.toThrow("reason is required");
    await expect(alice.submit(modal, { cause: "x" })).rejects.toThrow("no input cause");

    const blank = await alice.submit(modal, { reason: "  " });
    expect(blank.payload).toMatchObject({ response_action: "errors" });
    expect(await slack.modal(alice.id)).toMatchObject({ errors: { reason: "Give a reason." } });

    await alice.submit(modal, { reason: "too slow" });
    await expect.poll(() => slack.modal(alice.id)).toBeUndefined();
    await expect.poll(() => slack.ephemerals(alice.id)).toHaveLength(1);
    expect(textsOf(await readCard())).toBe("*rejected: too slow*");
  });

  test("answers a command, a shortcut, the home tab, a direct message and Stop", async () => {
    const { slack, alice, channel, bolt, ask } = await setUp();
    const command = await alice.slash(channel, "/kuro", "status");
    expect(command).toMatchObject({ isAcked: true, payload: { text: "You said status." } });
    const texts = async () => (await slack.ephemerals(alice.id)).map(({ text }) => text);
    const expected = ["More later.", "You said status."];
    await expect.poll(async () => (await texts()).toSorted()).toEqual(expected);

    const { card, question } = await ask("count");
    await alice.shortcut("from_message", question);
    await expect.poll(() => bolt.handled.at(-1)).toMatch(/^shortcut <@\w+> count$/);

    await alice.opensHome();
    await expect.poll(() => slack.home(alice.id)).toBeDefined();
    expect(textsOf(await slack.home(alice.id))).toBe("Hello home");

    const file = { name: "hours.csv", mimetype: "text/csv", content: "a,b" };
    const sent = await alice.dm("sum up", { files: [file] });
    const { channel: direct, ts } = sent.message;
    await expect.poll(() => slack.thread(direct, ts)).toHaveLength(2);
    expect(sent.message.files).toMatchObject([{ name: "hours.csv", size: 3 }]);

    expect(await alice.stopsSession(channel, card.ts)).toMatchObject({ isAcked: true });
    await expect.poll(() => bolt.handled.at(-1)).toContain(`"thread_ts":"${card.ts}"`);
  });
});

test("The emulator refuses a method that it does not have in the way of Slack", async () => {
  const slack = await anEmulatedSlack([]);
  const response = await fetch(`${slack.apiUrl}usergroups.list`, {
    method: "POST",
    headers: { authorization: `Bearer ${slack.botToken.value}` },
  });
  expect(await response.json()).toMatchObject({ ok: false, error: "unknown_method" });
});
