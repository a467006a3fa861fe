import { expect, test } from "vitest";
import { aRunningTask, EXECUTOR } from "../../../test/kit/running-task.ts";
import { aSlackDoor } from "../../../test/kit/slack-door.ts";
import { groupValue, taskValue } from "./button-values.ts";
import { ACTIONS } from "./cards/action-ids.ts";

/** A task with a running executor, shown in a thread of the channel. */
async function aRunning(over: Parameters<typeof aRunningTask>[1] = {}) {
  const kit = await aSlackDoor();
  const { core, acme, channel, alice } = kit;
  const task = await aRunningTask(core, over);
  const { message } = await alice.says(channel, "集計して");
  const thread = message.ts;
  await core.store.transaction((unit) =>
    unit.insertSlackThread({
      team: acme.id,
      channel,
      threadTs: thread,
      taskId: task.id,
      user: alice.id,
      locale: "en",
      at: 1,
    }),
  );
  const value = taskValue(task.id, "exe-01");
  const card = (...ids: readonly string[]) =>
    kit.card(channel, thread, Object.fromEntries(ids.map((id) => [id, value])));
  const show = (buttons: Readonly<Record<string, string>>) => kit.card(channel, thread, buttons);
  const read = async () => {
    const found = await core.store.getTask(task.id);
    if (!found) throw new Error("no task");
    return found;
  };
  return { ...kit, task, thread, card, show, read };
}

test("a task is blocked with a reason, and unblocked by a click", async () => {
  const kit = await aRunning();
  const card = await kit.card(ACTIONS.blockTask, ACTIONS.unblockTask);
  await kit.bob.click(card, ACTIONS.blockTask);
  await expect.poll(() => kit.acme.modal(kit.bob.id)).toBeDefined();
  const modal = await kit.acme.modal(kit.bob.id);
  if (!modal) throw new Error("no modal");
  expect(JSON.stringify(modal.view)).toContain("Block the task");

  await kit.bob.submit(modal, { block_reason_block: "列が変わる" });

  await expect.poll(kit.read).toMatchObject({
    status: "blocked",
    statusBy: "bob",
    statusReason: "列が変わる",
  });
  await kit.alice.click(card, ACTIONS.unblockTask);
  await expect.poll(kit.read).toMatchObject({ status: "in_progress", statusBy: "alice" });
  await kit.alice.click(card, ACTIONS.unblockTask);
  // The second click is about an attempt that is over.
  await expect
    .poll(() => kit.told(kit.alice))
    .toEqual([expect.stringContaining("not possible in the current state")]);
  expect(await kit.core.store.listExecutions(kit.task.id)).toHaveLength(2);
});

test("two clicks retry a failed task once", async () => {
  const kit = await aRunning({
    task: { status: "failed", failure: { stage: "execution", message: "停電" } },
    execution: { status: "failed" },
    executor: null,
  });
  const card = await kit.card(ACTIONS.retryExecution);

  await Promise.all([1, 2].map(() => kit.bob.click(card, ACTIONS.retryExecution)));

  await expect.poll(kit.read).toMatchObject({ status: "in_progress" });
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(1);
  expect(await kit.core.store.listExecutions(kit.task.id)).toHaveLength(2);
});

test("cancelling an execution stops its agent", async () => {
  const kit = await aRunning();
  const card = await kit.card(ACTIONS.cancelExecution);

  await kit.bob.click(card, ACTIONS.cancelExecution);

  await expect.poll(kit.read).toMatchObject({ status: "cancelled", statusBy: "bob" });
  const [notified] = await kit.core.store.listOpenNotifications(EXECUTOR);
  expect(notified).toMatchObject({ type: "cancelled" });
});

test("a mention in the thread of a running task is passed to its agent", async () => {
  const kit = await aRunning();

  await kit.bob.mentions(kit.channel, "10月分も & 有給も", { thread: kit.thread });

  await expect
    .poll(() => kit.core.store.listOpenNotifications(EXECUTOR))
    .toMatchObject([{ type: "message", from: "bob", text: "10月分も & 有給も" }]);
  await expect.poll(() => kit.told(kit.bob)).toEqual([expect.stringContaining("Passed")]);
  expect(await kit.tasks()).toHaveLength(1);
});

test("a group is stopped by a click, and by no other value", async () => {
  const kit = await aRunning();
  const wrong = await kit.card(ACTIONS.stopGroup);
  const right = await kit.show({ [ACTIONS.stopGroup]: groupValue(kit.task.groupId) });

  await kit.bob.click(wrong, ACTIONS.stopGroup);
  await expect.poll(() => kit.told(kit.bob)).toEqual([expect.stringContaining("no longer valid")]);
  expect(kit.core.stops).toEqual([]);
  await kit.bob.click(right, ACTIONS.stopGroup);

  await expect.poll(() => kit.core.stops).toMatchObject([{ agentId: EXECUTOR }]);
  await expect.poll(() => kit.told(kit.bob)).toHaveLength(2);
});

test("a message with the words of an earlier one is passed on, although Slack was slow at first", async () => {
  const kit = await aRunning();
  const { core, alice, channel, thread, slack } = kit;
  const says = () => alice.mentions(channel, "続けて", { thread });
  const sent = async () => {
    const { agentId } = (await core.store.getExecution("exe-01")) ?? {};
    const all = await core.store.listNotifications(agentId ?? "", 10);
    return all.filter(({ text }) => text === "続けて");
  };
  await says();
  await expect.poll(sent).toHaveLength(1);
  // What Slack has said about people is too old now.
  core.advance(10 * 60_000);
  slack.faults.add("users.info", { loseRequest: true });

  await says();

  await expect.poll(sent).toHaveLength(2);
});
