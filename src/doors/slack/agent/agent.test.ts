import { expect, test } from "vitest";
import { aSlackDoor, type SlackDoorKit } from "../../../../test/kit/slack-door.ts";
import { textsOf } from "../../../../test/kit/slack/texts.ts";
import { ANALYSIS, answer, PLAN } from "../../../../test/kit/task-flow.ts";

async function aDirectTask(kit: SlackDoorKit) {
  const { message } = await kit.alice.dm("集計して");
  await expect.poll(kit.tasks).toHaveLength(1);
  const [task] = await kit.tasks();
  if (!task) throw new Error("no task");
  const status = async () => (await kit.core.store.getTask(task.id))?.status;
  return { task, channel: message.channel, thread: message.ts, status };
}

test("a person who opens the messages of the app is offered prompts, in both kinds of view", async () => {
  const { alice, acme, slack } = await aSlackDoor();

  await alice.opensHome("messages");
  await expect.poll(() => slack.callsOf("assistant.threads.setSuggestedPrompts")).toHaveLength(1);
  const [{ body } = { body: {} }] = slack.callsOf("assistant.threads.setSuggestedPrompts");
  expect(body).toMatchObject({ prompts: [{ title: "勤怠集計" }, {}, {}] });
  expect(body).not.toHaveProperty("thread_ts");

  const { channel, thread } = await alice.opensAssistant();
  await expect.poll(() => acme.thread(channel, thread)).toHaveLength(1);
  await expect.poll(() => slack.callsOf("assistant.threads.setSuggestedPrompts")).toHaveLength(2);
});

test("the home page shows my approvals and tasks, and follows changes", async () => {
  const kit = await aSlackDoor();
  const { alice, bob, acme, core } = kit;
  const stranger = acme.person("carol");
  const home = async (user: { readonly id: string }) => {
    const shown = await acme.home(user.id);
    return shown ? JSON.stringify(shown.view) : "";
  };
  await alice.opensHome();
  await stranger.opensHome();
  await expect.poll(() => home(alice)).toContain("承認待ち");
  await expect.poll(() => home(stranger)).toContain("/kuro link");

  const { task } = await aDirectTask(kit);
  await answer(core, task.id, ANALYSIS);
  await answer(core, task.id, PLAN);

  await expect.poll(() => home(alice), { timeout: 20_000 }).toContain("残業時間の集計");
  await expect.poll(() => home(alice), { timeout: 20_000 }).toContain("実行方針");
  await bob.opensHome();
  await expect.poll(() => home(bob)).toContain("実行方針");
});

test("Slack's own Stop button cancels the task of the conversation, for people who may", async () => {
  const kit = await aSlackDoor();
  const { channel, thread, status } = await aDirectTask(kit);
  const stranger = kit.acme.person("carol");

  await stranger.stopsSession(channel, thread);
  await kit.core.quiet();
  expect(await status()).toBe("analyzing");
  await kit.alice.stopsSession(channel, thread);

  await expect.poll(status).toBe("cancelled");
});

test("the conversation shows whether the app works, waits or is done", async () => {
  const kit = await aSlackDoor();
  const { task, channel, thread } = await aDirectTask(kit);
  const session = () => ({ ...kit.acme.agentThread(channel, thread) });
  await expect.poll(session).toMatchObject({ sessionStatus: "processing" });

  await answer(kit.core, task.id, ANALYSIS);
  await answer(kit.core, task.id, PLAN);

  await expect.poll(session).toMatchObject({
    sessionStatus: "suspended",
    sessionTitle: ANALYSIS.title,
  });
});

test("where Slack has no agent sessions, the older status is shown, and Slack is asked once", async () => {
  const kit = await aSlackDoor();
  kit.slack.faults.add("agents.sessions.setStatus", { error: "unknown_method" }, { times: 9 });

  const { channel, thread, task } = await aDirectTask(kit);
  const status = () => kit.acme.agentThread(channel, thread).status;
  await expect.poll(status).toContain("分析");
  await answer(kit.core, task.id, ANALYSIS);

  await expect.poll(status).toContain("実行方針");
  expect(kit.slack.callsOf("agents.sessions.setStatus")).toHaveLength(1);
});

test("/kuro lists my tasks and approvals, and cancels a task", async () => {
  const kit = await aSlackDoor();
  const { alice, acme, core } = kit;
  const { task, status } = await aDirectTask(kit);
  const general = kit.channel;
  await answer(core, task.id, ANALYSIS);
  await answer(core, task.id, PLAN);
  const ask = async (text: string) => {
    const before = (await acme.ephemerals(alice.id)).length;
    await alice.slash(general, "/kuro", text);
    await expect.poll(() => acme.ephemerals(alice.id)).toHaveLength(before + 1);
    const last = (await acme.ephemerals(alice.id)).at(-1);
    return last ? textsOf(last) : "";
  };

  expect(await ask("status")).toContain(ANALYSIS.title);
  expect(await ask("approvals")).toContain("実行方針");
  expect(await ask("statsu")).toContain("statsu");
  expect(await ask("cancel")).toContain("タスクID");
  expect(await ask("cancel task-unknown")).toContain("見つかりません");
  expect(await ask(`cancel ${task.id}`)).toContain(ANALYSIS.title);
  expect(await status()).toBe("cancelled");
  expect(await ask("status")).toContain("ありません");
});
