import { describe, expect, test } from "vitest";
import { aBoltApp } from "./bolt-app.ts";
import { actionIdsOf } from "./elements.ts";
import { aFakeSlack } from "./fake-slack.ts";
import { textsOf } from "./texts.ts";

const MODES = ["socket", "http"] as const;

describe.each(MODES)("A real Bolt app on the fake Slack in %s mode", (mode) => {
  async function setUp() {
    const slack = await aFakeSlack({ mode });
    const workspace = slack.workspace("acme");
    const alice = workspace.person("alice");
    const channel = workspace.channel("general", [alice]);
    const tokens = { [workspace.id]: workspace.botToken.value };
    const bolt = await aBoltApp({ slackApp: slack.app, apiUrl: slack.apiUrl, mode, tokens });
    if (mode === "http") slack.http.sendTo(bolt.url);
    else await slack.sockets.connected(2);
    async function ask(text: string) {
      const sent = await alice.mentions(channel, text);
      expect(sent).toMatchObject({ isAcked: true, attempts: { length: 1 } });
      const thread = () => workspace.thread(channel, sent.message.ts);
      await expect.poll(thread).toHaveLength(2);
      const [, card] = await thread();
      if (!card) throw new Error("no card");
      return card;
    }
    return { slack, workspace, alice, channel, bolt, ask };
  }

  test("answers a mention with a card in the thread and updates it after a click", async () => {
    const { workspace, alice, channel, bolt, ask } = await setUp();
    const card = await ask("count the <hours>");
    expect(bolt.handled).toEqual([`<@${workspace.team.botUserId}> count the &lt;hours&gt;`]);
    expect(actionIdsOf(card)).toEqual(["approve", "reject"]);
    expect(card.attachments).toMatchObject([{ color: "#2196f3" }]);

    expect(await alice.click(card, "approve")).toMatchObject({ isAcked: true });
    await expect.poll(() => workspace.versions(card)).toHaveLength(2);
    expect(workspace.versions(card).map(textsOf)).toEqual([
      "*waiting*\napprove\nreject",
      "*approved*",
    ]);
    expect(bolt.handled.at(-1)).toBe(`approve v1:waiting by ${alice.id}`);
    expect(workspace.history(channel)).toHaveLength(2);

    await alice.click(card, "approve");
    await expect.poll(() => workspace.versions(card)).toHaveLength(3);
    const [now] = await workspace.cards();
    if (!now) throw new Error("no card");
    await expect(alice.click(now, "approve")).rejects.toThrow("There is no approve");
  });

  test("opens a modal, refuses an empty reason and takes a good one", async () => {
    const { workspace, alice, ask } = await setUp();
    const card = await ask("count the hours");
    expect(await alice.click(card, "reject")).toMatchObject({ isAcked: true });
    await expect.poll(() => workspace.modal(alice.id)).toBeDefined();
    const modal = await workspace.modal(alice.id);
    if (!modal) throw new Error("no modal");
    await expect(alice.submit(modal, {})).rejects.toThrow("reason is required");
    await expect(alice.submit(modal, { cause: "x" })).rejects.toThrow("no input cause");

    const blank = await alice.submit(modal, { reason: "  " });
    expect(blank.payload).toMatchObject({ response_action: "errors" });
    expect(await workspace.modal(alice.id)).toMatchObject({ errors: { reason: "Give a reason." } });

    await alice.submit(modal, { reason: "too slow" });
    expect(await workspace.modal(alice.id)).toBeUndefined();
    await expect.poll(() => workspace.ephemerals(alice.id)).toHaveLength(1);
    expect(textsOf(workspace.versions(card).at(-1))).toBe("*rejected: too slow*");
  });

  test("answers a command, a shortcut, the home tab, a direct message and Stop", async () => {
    const { workspace, alice, channel, bolt, ask } = await setUp();
    const command = await alice.slash(channel, "/kuro", "status");
    expect(command).toMatchObject({ isAcked: true, payload: { text: "You said status." } });
    const texts = async () => (await workspace.ephemerals(alice.id)).map(({ text }) => text);
    const expected = ["More later.", "You said status."];
    await expect.poll(async () => (await texts()).toSorted()).toEqual(expected);

    const card = await ask("count");
    const [question] = workspace.history(channel);
    await alice.shortcut("from_message", question);
    await expect.poll(() => bolt.handled.at(-1)).toMatch(/^shortcut <@\w+> count$/);

    await alice.opensHome();
    await expect.poll(() => workspace.home(alice.id)).toBeDefined();
    expect(textsOf(await workspace.home(alice.id))).toBe("Hello home");

    const file = { name: "hours.csv", mimetype: "text/csv", content: "a,b" };
    const sent = await alice.dm("sum up", { files: [file] });
    const { channel: direct, ts } = sent.message;
    await expect.poll(() => workspace.thread(direct, ts)).toHaveLength(2);
    expect(sent.message.files).toMatchObject([{ name: "hours.csv", size: 3 }]);

    expect(await alice.stopsSession(channel, card.ts)).toMatchObject({ isAcked: true });
    await expect.poll(() => bolt.handled.at(-1)).toContain(`"thread_ts":"${card.ts}"`);
  });
});
