import { expect, test } from "vitest";
import type {
  SlackDelivery,
  SlackInstallation,
  SlackMessage,
  SlackThread,
} from "../../../src/app/ports/slack-store.ts";
import type { Store } from "../../../src/app/ports/store.ts";
import { aTask, NOON } from "../../kit/builders.ts";
import type { Open } from "./kit.ts";

export function slack(aStore: Open): void {
  test("a request is kept once, until it is done", async () => {
    const store = await aStore();
    const [first, later] = [aDelivery("ev:1"), aDelivery("ev:2", { nextAt: NOON + 5 })];
    const insert = (delivery: SlackDelivery) =>
      store.transaction((unit) => unit.insertSlackDelivery(delivery));
    expect(await insert(later)).toBe(true);
    expect(await insert(first)).toBe(true);
    expect(await insert({ ...first, body: "other" })).toBe(false);

    expect(await store.listDueSlackDeliveries(NOON, 10)).toEqual([first]);
    expect(await store.listDueSlackDeliveries(NOON + 5, 10)).toEqual([first, later]);
    expect(await store.listDueSlackDeliveries(NOON + 5, 1)).toEqual([first]);

    const failed = { status: "new", tries: 1, error: "down", nextAt: NOON + 9 } as const;
    const done = { status: "done", tries: 1, error: null, nextAt: NOON } as const;
    await store.transaction(async (unit) => {
      await unit.updateSlackDelivery("ev:1", done);
      await unit.updateSlackDelivery("ev:2", failed);
    });
    expect(await store.listDueSlackDeliveries(NOON + 9, 10)).toEqual([{ ...later, ...failed }]);

    await store.transaction((unit) => unit.deleteSlackDeliveriesBefore(NOON + 1));
    expect(await store.getSlackDelivery("ev:1")).toBeUndefined();
    expect(await store.getSlackDelivery("ev:2")).toMatchObject(failed);
  });

  test("a message asks for one task, and a thread may have several", async () => {
    const store = await aStore();
    const thread = await aThread(store);
    const insert = (each: SlackThread) => store.transaction((unit) => unit.insertSlackThread(each));

    expect(await insert({ ...thread, user: "U2" })).toBe(false);
    expect(await insert({ ...thread, team: "T2" })).toBe(true);
    expect(await store.getSlackThread("T1", "C1", "1.0")).toEqual(thread);
    expect(await store.getSlackThread("T1", "C2", "1.0")).toBeUndefined();
    const later = aTask({ id: "task-2" });
    const second = { ...thread, taskId: later.id, at: NOON + 1 };
    await store.transaction((unit) => unit.insertTask(later));
    expect(await insert({ ...second, messageTs: "2.0" })).toBe(true);
    expect(await store.getSlackThread("T1", "C1", "1.0")).toEqual(second);
    expect(await store.getSlackRequest("T1", "C1", "2.0")).toEqual(second);
    expect(await store.getSlackRequest("T1", "C1", "1.0")).toEqual(thread);
    expect(await store.getSlackRequest("T1", "C1", "3.0")).toBeUndefined();
    expect(await store.listSlackThreadsOfTask(thread.taskId)).toEqual([
      thread,
      { ...thread, team: "T2" },
    ]);

    const open = () => store.listOpenSlackThreads();
    expect(await open()).toEqual([thread, { ...thread, team: "T2" }, second]);
    await store.transaction((unit) => unit.settleSlackThread(thread.taskId, true));
    expect(await open()).toEqual([second]);
    await store.transaction((unit) => unit.settleSlackThread(thread.taskId, false));
    expect(await open()).toHaveLength(3);
  });

  test("a message is unsent until Slack shows what it should, or it can never be sent", async () => {
    const store = await aStore();
    const { taskId } = await aThread(store);
    const put = (message: SlackMessage) =>
      store.transaction((unit) => unit.putSlackMessage(message));
    const task = aMessage("card:task", { taskId, priority: 2 });
    const urgent = aMessage("card:prompt", { taskId, priority: 0 });
    const board = aMessage("board:1", { groupId: "grp-1", priority: 3 });
    for (const message of [board, task, urgent]) await put(message);

    expect(await store.listUnsentSlackMessages(10)).toEqual([urgent, task, board]);
    expect(await store.listUnsentSlackMessages(1)).toEqual([urgent]);
    expect(await store.listOpenSlackBoards()).toEqual([board]);
    await put({ ...board, priority: 1 });
    expect(await store.listOpenSlackBoards()).toEqual([]);

    const posted = { ...urgent, ts: "2.0", sentHash: "a", status: "posted", sentAt: NOON } as const;
    await put(posted);
    await put({ ...board, status: "dead", error: "is_archived" });
    expect(await store.listUnsentSlackMessages(10)).toEqual([task]);
    await put({ ...posted, desired: "[]", desiredHash: "b" });
    expect(await store.listUnsentSlackMessages(10)).toHaveLength(2);

    expect(await store.findSlackMessage("T1", "C1", "2.0")).toMatchObject({ key: "card:prompt" });
    expect(await store.findSlackMessage("T2", "C1", "2.0")).toBeUndefined();
    expect((await store.listSlackMessagesOfTask(taskId)).map(({ key }) => key)).toEqual([
      "card:task",
      "card:prompt",
    ]);
  });

  test("a removed workspace has no tokens and gets no messages", async () => {
    const store = await aStore();
    const [mine, other] = [anInstallation("T1"), anInstallation("T2")];
    await store.transaction(async (unit) => {
      for (const each of [other, mine]) await unit.putSlackInstallation(each);
      await unit.putSlackMessage(aMessage("board:1"));
      await unit.putSlackMessage(aMessage("board:2", { team: "T2" }));
      await unit.putSlackInstallation({ ...mine, secret: "rotated" });
    });
    expect(await store.listSlackInstallations()).toEqual([{ ...mine, secret: "rotated" }, other]);

    await store.transaction((unit) => unit.deleteSlackInstallation("T1"));
    expect(await store.getSlackInstallation("T1")).toBeUndefined();
    expect(await store.getSlackInstallation("T2")).toEqual(other);
    expect((await store.listUnsentSlackMessages(10)).map(({ key }) => key)).toEqual(["board:2"]);
    expect(await store.getSlackMessage("board:1")).toMatchObject({ error: "not_installed" });
  });

  test("old messages that are about no task are purged once they are sent", async () => {
    const store = await aStore();
    const { taskId } = await aThread(store);
    const [sent, later] = [
      { status: "posted", sentHash: "a", sentAt: NOON } as const,
      { status: "posted", sentHash: "a", sentAt: NOON + 9 } as const,
    ];
    await store.transaction(async (unit) => {
      await unit.putSlackMessage(aMessage("text:unsent"));
      await unit.putSlackMessage(aMessage("text:changed", later));
      await unit.putSlackMessage(aMessage("text:sent", sent));
      await unit.putSlackMessage(aMessage("card:task", { ...sent, taskId }));
    });

    await store.transaction((unit) => unit.purgeHistory(NOON + 5, 10));

    const left = ["text:unsent", "text:changed", "text:sent", "card:task"].map((key) =>
      store.getSlackMessage(key),
    );
    expect((await Promise.all(left)).map((each) => each?.key)).toEqual([
      "text:unsent",
      "text:changed",
      undefined,
      "card:task",
    ]);
  });

  test("a user is linked to one person, and a code is used once and in time", async () => {
    const store = await aStore();
    const link = { team: "T1", user: "U1", personId: "tanaka", at: NOON };
    await store.transaction(async (unit) => {
      await unit.putSlackLink({ ...link, personId: "suzuki" });
      await unit.putSlackLink(link);
      await unit.putSlackLink({ ...link, team: "T2" });
      const code = { purpose: "link", data: "tanaka", expiresAt: NOON + 5 } as const;
      for (const hash of ["a", "b"]) await unit.insertSlackCode({ ...code, hash });
    });
    expect(await store.getSlackLink("T1", "U1")).toEqual(link);
    expect(await store.listSlackLinks("tanaka")).toHaveLength(2);
    expect(await store.listSlackLinks("suzuki")).toEqual([]);
    await store.transaction((unit) => unit.deleteSlackLink("T1", "U1"));
    expect(await store.getSlackLink("T1", "U1")).toBeUndefined();

    const take = (hash: string, now: number) =>
      store.transaction((unit) => unit.takeSlackCode(hash, now));
    expect(await take("a", NOON + 4)).toMatchObject({ data: "tanaka" });
    expect(await take("a", NOON + 4)).toBeUndefined();
    expect(await take("b", NOON + 5)).toBeUndefined();
  });

  test("tasks are listed by requester", async () => {
    const store = await aStore();
    const [mine, other, second] = [
      aTask({ requester: "tanaka", id: "task-1" }),
      aTask({ requester: "suzuki", id: "task-2" }),
      aTask({ requester: "tanaka", id: "task-3" }),
    ];
    await store.transaction(async (unit) => {
      for (const task of [mine, other, second]) await unit.insertTask(task);
    });
    const { tasks } = await store.listTasks({ requester: "tanaka", limit: 10 });
    expect(tasks).toEqual([second, mine]);
    const { tasks: ended } = await store.listTasks({
      requester: "tanaka",
      statuses: ["completed"],
      limit: 10,
    });
    expect(ended).toEqual([]);
  });
}

async function aThread(store: Store): Promise<SlackThread> {
  const task = aTask();
  const thread = {
    team: "T1",
    channel: "C1",
    threadTs: "1.0",
    taskId: task.id,
    user: "U1",
    locale: "ja",
    at: NOON,
  } as const;
  await store.transaction(async (unit) => {
    await unit.insertTask(task);
    await unit.insertSlackThread(thread);
  });
  return thread;
}

function aDelivery(key: string, over: Partial<SlackDelivery> = {}): SlackDelivery {
  return {
    key,
    team: "T1",
    body: "{}",
    status: "new",
    tries: 0,
    error: null,
    nextAt: NOON,
    at: NOON,
    ...over,
  };
}

export function aMessage(key: string, over: Partial<SlackMessage> = {}): SlackMessage {
  return {
    key,
    team: "T1",
    channel: "C1",
    threadTs: "1.0",
    ts: null,
    taskId: null,
    groupId: null,
    priority: 2,
    desired: '[{"color":"#36a64f"}]',
    desiredHash: "a",
    sentHash: null,
    status: "new",
    tries: 0,
    reposts: 0,
    error: null,
    nextAt: NOON,
    sentAt: null,
    createdAt: NOON,
    ...over,
  };
}

export function anInstallation(team: string): SlackInstallation {
  return {
    team,
    enterprise: null,
    botUser: "UBOT",
    secret: "encrypted",
    scopes: ["chat:write", "commands"],
    installedBy: "U1",
    at: NOON,
  };
}
