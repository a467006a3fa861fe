import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { fieldsOf } from "../../src/base/narrow.ts";
import { aPlace, until, type Place } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import type { CheckBlocks } from "../kit/slack/api/method.ts";
import { checkBlocks, checkView } from "../kit/slack/block-kit.ts";
import { actionIdsOf, listOf } from "../kit/slack/elements.ts";
import { anEmulatedSlack } from "../kit/slack/emulate.ts";
import { aFakeSlack } from "../kit/slack/fake-slack.ts";
import type { ShownMessage } from "../kit/slack/shapes.ts";
import { textsOf } from "../kit/slack/texts.ts";
import { aRequest, aStory, LONG_MS, stepOf, writesOf } from "../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

const PATIENCE_MS = 90_000;

const PLACES = {
  "in Socket Mode": () => onFake("socket"),
  "in HTTP mode": () => onFake("http"),
  "on an independent emulator": onEmulator,
};

async function onFake(mode: "socket" | "http") {
  const slack = await aFakeSlack({ mode, check: checkContent });
  const acme = slack.workspace("acme");
  const alice = acme.person("alice");
  const channel = acme.channel("general", [alice]);
  const ready =
    mode === "http"
      ? async (url: string) => slack.http.sendTo(`${url}/slack/events`)
      : async () => {
          await slack.sockets.connected(2);
        };
  return { slack: acme, app: slack.app, apiUrl: slack.apiUrl, mode, alice, channel, ready };
}

async function onEmulator() {
  const slack = await anEmulatedSlack(["alice"]);
  const { app, apiUrl, channel } = slack;
  const ready = async (url: string) => slack.http.sendTo(`${url}/slack/events`);
  return {
    slack,
    app,
    apiUrl,
    mode: "http",
    alice: slack.person("alice"),
    channel,
    ready,
  } as const;
}

const checkContent: CheckBlocks = (surface, content) => {
  if (surface !== "message") return checkView(content);
  const attachments = Array.isArray(content["attachments"]) ? content["attachments"] : [];
  return attachments.flatMap((each: unknown) => checkBlocks(listOf(fieldsOf(each)["blocks"])));
};

/** A daemon that is connected to Slack, where Alice is the local person. */
async function aSlackStory(
  open: (typeof PLACES)[keyof typeof PLACES],
  over: Readonly<Record<string, unknown>> = {},
) {
  const { slack, app, apiUrl, mode, alice, channel, ready } = await open();
  const place: Place = aPlace();
  Object.assign(place.env, {
    SLACK_API_URL: apiUrl,
    SLACK_BOT_TOKEN: slack.botToken.value,
    ...(mode === "socket"
      ? { SLACK_APP_TOKEN: app.appToken }
      : { SLACK_SIGNING_SECRET: app.signingSecret }),
  });
  const config = { slack: { people: [{ user: alice.id, person: "local" }] }, ...over };
  const story = await aStory(config, { place });
  await ready(story.url());

  /** Waits for the newest message of the app for which the condition holds. */
  async function card(isIt: (message: ShownMessage) => boolean): Promise<ShownMessage> {
    let found: ShownMessage | undefined;
    const search = async () => (found = (await slack.cards()).findLast(isIt)) !== undefined;
    await until(search, undefined, PATIENCE_MS).catch(async (error: unknown) => {
      const shown = (await slack.cards()).map(textsOf).join("\n---\n");
      throw new Error(`No such card. Slack shows:\n${shown}`, { cause: error });
    });
    if (!found) throw new Error("no card");
    return found;
  }
  const withButton = (action: string) => card((each) => actionIdsOf(each).includes(action));

  return {
    ...story,
    slack,
    alice,
    channel,
    card,
    withButton,
    /** Clicks the newest button of this kind. */
    async click(action: string): Promise<ShownMessage> {
      const message = await withButton(action);
      expect(await alice.click(message, action)).toMatchObject({ isAcked: true });
      return message;
    },
    /** The message as it is shown now. */
    async now({ channel: shownIn, ts }: ShownMessage): Promise<ShownMessage | undefined> {
      return (await slack.cards()).find((each) => each.ts === ts && each.channel === shownIn);
    },
    async killAndRestart(): Promise<void> {
      await story.killAndRestart();
      await ready(story.url());
    },
  };
}

type SlackStory = Awaited<ReturnType<typeof aSlackStory>>;

const waitFor = (isSo: () => Promise<boolean>) => until(isSo, undefined, PATIENCE_MS);

/** What happens, line by line. Each line returns when Slack shows its effect. */
function linesOf(story: SlackStory) {
  let taskId = "";
  const blocked = join(story.place.dir, "blocked");
  const shows = (message: ShownMessage, text: string) =>
    waitFor(async () => textsOf(await story.now(message)).includes(text));
  return [
    async function mention() {
      const request = aRequest("check step-2", `after step-2 wait-for ${blocked}`);
      const sent = await story.alice.mentions(story.channel, request);
      expect(sent.isAcked).toBe(true);
      await story.withButton("reject_prompt");
      const { body } = await story.ask("GET", "/api/tasks");
      taskId = story.read((Array.isArray(body["tasks"]) ? body["tasks"] : [])[0]).taskId;
    },
    async function rejectOnce() {
      const first = await story.click("reject_prompt");
      await waitFor(async () => (await story.slack.modal(story.alice.id)) !== undefined);
      const modal = await story.slack.modal(story.alice.id);
      if (!modal) throw new Error("no modal");
      expect(modal.view).toMatchObject({ type: "modal", title: { text: "却下理由" } });
      const values = { rejection_reason_input: "短くしてください" };
      expect(await story.alice.submit(modal, values)).toMatchObject({ isAcked: true });
      const second = await story.card(
        (each) => each.ts !== first.ts && actionIdsOf(each).includes("approve_prompt"),
      );
      expect(textsOf(second)).toContain("v2");
      await shows(first, "短くしてください");
      await waitFor(async () => actionIdsOf((await story.now(first)) ?? first).length === 0);
    },
    async function approve() {
      const prompt = await story.click("approve_prompt");
      await shows(prompt, "承認済み");
      await story.withButton("approve_process");
    },
    async function approveSteps() {
      const steps = await story.click("approve_process");
      await shows(steps, "承認済み");
      await story.withButton("approve_step");
    },
    async function humanCheck() {
      const check = await story.withButton("approve_step");
      expect(textsOf(check)).toContain("やあ");
      await story.click("approve_step");
      await story.reach(taskId, (task) => stepOf(task, "step-2") === "done");
    },
    async function blockInTheBrowser() {
      await story.change(taskId, "blocked", { reason: "確認したい" });
      writeFileSync(blocked, "");
      await story.card((each) => textsOf(each).includes("確認したい"));
    },
    async function unblock() {
      await story.click("unblock_task");
      await story.reach(taskId, ({ status }) => status !== "blocked");
    },
    async function complete() {
      await story.reach(taskId, ({ status }) => status === "completed");
      await story.card((each) => textsOf(each).includes("✅ 実行完了"));
    },
  ];
}

describe.each(Object.entries(PLACES))("From a mention to the result %s", (where, open) => {
  test.for(HAS_ALL_ROUNDS ? [false, true] : [where === "in Socket Mode"])(
    "with kill -9 of the daemon between any two lines: %s",
    async (isKilled) => {
      const story = await aSlackStory(open);

      for (const line of linesOf(story)) {
        await line();
        if (isKilled) await story.killAndRestart();
      }

      const [{ taskId } = { taskId: "" }, ...others] = await tasksOf(story);
      expect(others).toEqual([]);
      const task = await story.look(taskId);
      expect(task.executions.at(-1)?.steps.map(({ status }) => status)).toEqual([
        "done",
        "done",
        "done",
      ]);
      expect([writesOf(story, "write_note"), writesOf(story, "send_word")]).toEqual([1, 1]);
      const keys = (await story.slack.cards()).map((each) => textsOf(each).split("\n")[0]);
      expect(keys.filter((each) => each?.includes("実行方針"))).toHaveLength(2);
      expect(keys.filter((each) => each?.includes("実行ステップ"))).toHaveLength(1);
      expect(keys.filter((each) => each?.includes("実行完了"))).toHaveLength(1);
      expect(await threadOf(story)).toEqual([
        [GREEN, "ノートを書いて"],
        [RED, "📝 実行方針(却下 → 再生成済み)"],
        [GREEN, "📝 実行方針(承認済み)"],
        [GREEN, "⚙️ 実行ステップ(承認済み)"],
        [GREEN, "✅ 実行完了"],
        [GREEN, "⏸️ 人の確認(承認済み)"],
      ]);
    },
  );
});

test("a click on Stop ends the process of the agent, and the card turns grey", async () => {
  const story = await aSlackStory(PLACES["in Socket Mode"], {
    interrupt: { hardStopAfter_ms: 1_000 },
  });
  const never = join(story.place.dir, "never");
  await story.alice.mentions(story.channel, aRequest(`after step-1 wait-for ${never}`));
  await story.click("approve_prompt");
  await story.click("approve_process");
  await story.withButton("cancel_execution");
  const [{ taskId } = { taskId: "" }] = await tasksOf(story);
  const task = await story.reach(taskId, (seen) => stepOf(seen, "step-1") === "done");
  const mark = `KUROMAJUTSU_AGENT_ID=${task.executions.at(-1)?.agentId}`;
  expect(processesWith(mark)).not.toEqual([]);

  await story.click("cancel_execution");

  await waitFor(async () => processesWith(mark).length === 0);
  await story.card((each) => textsOf(each).startsWith("⏹️ 実行中止"));
  const cards = await threadOf(story);
  expect([cards[0], cards.at(-1)]).toEqual([
    [GREY, "⏹️ タスク中止"],
    [GREY, "⏹️ 実行中止"],
  ]);
});

const GREEN = "#36a64f";
const RED = "#e01e5a";
const GREY = "#888888";

/** The cards in the thread of the mention, as Slack shows them now: colour and first line. */
async function threadOf({ slack, channel }: SlackStory) {
  const [{ threadTs = "" } = {}] = await slack.cards();
  const cards = (await slack.thread(channel, threadTs)).filter(({ attachments }) => attachments);
  return cards.map((each) => {
    const [attachment] = listOf(each.attachments);
    return [String(attachment?.["color"]), textsOf(each).split("\n")[0]];
  });
}

async function tasksOf(story: SlackStory) {
  const { body } = await story.ask("GET", "/api/tasks");
  return (Array.isArray(body["tasks"]) ? body["tasks"] : []).map((each: unknown) =>
    story.read(each),
  );
}
