import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { aSlackDoor, type SlackDoorKit } from "../../../test/kit/slack-door.ts";
import { requestApproval } from "../../app/approvals/request-approval.ts";
import { LOCAL_USER } from "../../app/core.ts";
import { changeTaskStatus } from "../../app/tasks/change-task-status.ts";

describe.each(["socket", "http"] as const)("In %s mode", (mode) => {
  test("a mention creates a task of the person, shown in the thread of the message", async () => {
    const { alice, channel, acme, core, tasks } = await aSlackDoor({ mode });

    const sent = await alice.mentions(channel, "9月分の <残業> & 有給を集計して");

    expect(sent).toMatchObject({ isAcked: true, attempts: { length: 1 } });
    await expect.poll(tasks).toHaveLength(1);
    const [task] = await tasks();
    expect(task).toMatchObject({
      request: "9月分の <残業> & 有給を集計して",
      requester: "alice",
      door: "slack",
    });
    const thread = await core.store.getSlackThread(acme.id, channel, sent.message.ts);
    expect(thread).toMatchObject({ taskId: task?.id, user: alice.id });
    const { entries } = await core.store.listAudit({ subject: task?.id ?? "", limit: 1 });
    expect(entries).toMatchObject([{ actor: "alice", action: "task.created" }]);
  });

  test("a direct message creates a task, and its files are saved for the agents", async () => {
    const { alice, tasks } = await aSlackDoor({ mode });
    const files = [
      { name: "../hours.csv", mimetype: "text/csv", content: "a,b\n1,2\n" },
      { name: "hours.csv", mimetype: "text/csv", content: "c\n" },
    ];

    expect(await alice.dm("この表を集計して", { files })).toMatchObject({ isAcked: true });

    await expect.poll(tasks).toHaveLength(1);
    const [task] = await tasks();
    const paths = [...(task?.request ?? "").matchAll(/^- (.+)$/gm)].map(([, path = ""]) => path);
    expect(task?.request).toMatch(/^この表を集計して\n\n/);
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(["a,b\n1,2\n", "c\n"]);
    expect(paths[0]).toMatch(/\/slack-files\/[^/]+\/1-_[^/]*hours\.csv$/);
  });

  test("a command and a message shortcut create tasks of the person who used them", async () => {
    const { alice, bob, channel, acme, core, tasks, told } = await aSlackDoor({ mode });

    expect(await alice.slash(channel, "/kuro", "勤怠を まとめて")).toMatchObject({ isAcked: true });
    await expect.poll(tasks).toHaveLength(1);
    const said = await bob.says(channel, "明細を <https://x.example|ここ> に出して", {
      isRaw: true,
    });
    expect(await alice.shortcut("kuro_from_message", said.message)).toMatchObject({
      isAcked: true,
    });

    await expect.poll(tasks).toHaveLength(2);
    const [byCommand, byShortcut] = await tasks();
    expect(byCommand).toMatchObject({ request: "勤怠を まとめて", requester: "alice" });
    expect(byShortcut).toMatchObject({
      request: "明細を ここ (https://x.example) に出して",
      requester: "alice",
    });
    const [root] = acme.history(channel);
    const thread = await core.store.getSlackThread(acme.id, channel, root?.ts ?? "");
    expect(thread).toMatchObject({ taskId: byCommand?.id });
    expect(root?.text).toContain("勤怠を まとめて");
    await expect.poll(() => told(alice)).toHaveLength(2);
  });
});

test("a message is one task, however often and in whatever form Slack delivers it", async () => {
  const { slack, alice, channel, tasks, core } = await aSlackDoor();
  const sent = await alice.mentions(channel, "集計して");
  await expect.poll(tasks).toHaveLength(1);

  for (const retry of [1, 2, 3]) {
    expect(await slack.repeat(sent.delivery, retry)).toMatchObject({ isAcked: true });
  }
  const other = { ...sent.delivery, payload: { ...sent.delivery.payload, event_id: "Ev-other" } };
  expect(await slack.repeat(other)).toMatchObject({ isAcked: true });
  await alice.shortcut("kuro_from_message", sent.message);
  await alice.edits(sent.message, "集計しないで");

  await core.quiet();
  expect(await tasks()).toHaveLength(1);
});

test("an empty mention is answered with help, in the person's language", async () => {
  const { alice, acme, channel, tasks, told } = await aSlackDoor();
  const emma = acme.person("emma", { locale: "en-US" });

  await alice.mentions(channel, "  ");
  await emma.slash(channel, "/kuro", "help");

  await expect.poll(() => told(alice)).toEqual([expect.stringContaining("使い方")]);
  await expect.poll(() => told(emma)).toEqual([expect.stringContaining("How to use")]);
  expect(await tasks()).toEqual([]);
});

test("messages of bots and messages between people have no effect and are not stored", async () => {
  const { acme, alice, channel, core, tasks, told } = await aSlackDoor();
  const robot = acme.person("robot", { isBot: true });
  const busy = acme.channel("busy", [robot, alice]);

  const sent = await robot.mentions(busy, "集計して");
  await alice.says(channel, "集計して");

  expect(sent.isAcked).toBe(true);
  await core.quiet();
  expect(await tasks()).toEqual([]);
  expect(await told(robot)).toEqual([]);
  const key = `msg:${acme.id}:${busy}:${sent.message.ts}`;
  expect(await core.store.getSlackDelivery(key)).toBeUndefined();
});

test("a person who requests too much is asked to wait", async () => {
  const { alice, tasks, told } = await aSlackDoor();

  for (let n = 1; n <= 11; n++) await alice.dm(`依頼 ${n}`);

  await expect.poll(() => told(alice)).toEqual([expect.stringContaining("少し待って")]);
  await expect.poll(tasks).toHaveLength(10);
});

test("the app asks to be invited where it cannot post", async () => {
  const { alice, acme, channel, tasks, told } = await aSlackDoor();
  const said = await alice.says(channel, "集計して");
  acme.removeAppFrom(channel);

  await alice.slash(channel, "/kuro", "勤怠を まとめて");
  await alice.shortcut("kuro_from_message", said.message);

  await expect.poll(() => told(alice)).toHaveLength(2);
  for (const text of await told(alice)) expect(text).toContain("/invite");
  expect(await tasks()).toEqual([]);
});

async function aThread(kit: SlackDoorKit) {
  const sent = await kit.alice.dm("集計して");
  await expect.poll(kit.tasks).toHaveLength(1);
  const [task] = await kit.tasks();
  if (!task) throw new Error("no task");
  const reply = (text: string) => kit.alice.dm(text, { thread: sent.message.ts });
  return { task, reply };
}

test("a reply in the thread of a task answers its question", async () => {
  const kit = await aSlackDoor();
  const { core, told, alice } = kit;
  const { task, reply } = await aThread(kit);
  const ask = (choices: readonly string[]) =>
    core.store.transaction((unit) =>
      requestApproval(core, unit, {
        kind: "question",
        taskId: task.id,
        requester: "alice",
        title: "どのシート?",
        choices,
        shown: { question: "どのシート?", choices },
      }),
    );
  const free = await ask([]);

  await reply("9月 & 10月");

  const decided = async (id: string) => (await core.store.getApproval(id))?.choice?.answer;
  await expect.poll(() => decided(free.id)).toBe("9月 & 10月");
  const chosen = await ask(["Sheet A", "Sheet B"]);
  await reply("Sheet C");
  await expect.poll(() => told(alice)).toContainEqual(expect.stringContaining("Sheet B"));
  await reply("sheet b");
  await expect.poll(() => decided(chosen.id)).toBe("Sheet B");
});

test("a reply to a task that cannot take it says what to do, and creates no task", async () => {
  const kit = await aSlackDoor();
  const { reply } = await aThread(kit);

  await reply("やっぱり10月分で");

  await expect.poll(() => kit.told(kit.alice)).toEqual([expect.stringContaining("準備中")]);
  expect(await kit.tasks()).toHaveLength(1);
});

test("a reply in the thread of a finished task is a new task in the same thread", async () => {
  const kit = await aSlackDoor();
  const { task, reply } = await aThread(kit);
  await changeTaskStatus(
    { ...kit.core, people: { ...kit.core.people, isEnabled: false } },
    LOCAL_USER,
    {
      taskId: task.id,
      status: "cancelled",
    },
  );

  const sent = await reply("10月分も集計して");

  await expect.poll(kit.tasks).toHaveLength(2);
  const { threadTs = "", channel } = sent.message;
  const thread = await kit.core.store.getSlackThread(kit.acme.id, channel, threadTs);
  expect(thread?.taskId).toBe((await kit.tasks())[1]?.id);
});

test("files of a person who may not request tasks are not saved", async () => {
  const { member, dataDir, tasks, told } = await aSlackDoor();
  const vera = member("vera");
  const files = [{ name: "a.csv", mimetype: "text/csv", content: "x" }];

  await vera.dm("集計して", { files });

  await expect.poll(() => told(vera)).toHaveLength(1);
  expect(await tasks()).toEqual([]);
  expect(existsSync(join(dataDir, "slack-files"))).toBe(false);
});
