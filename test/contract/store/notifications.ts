import { expect, test } from "vitest";
import type { Notification } from "../../../src/domain/notifications/notification.ts";
import { anAgent, NOON } from "../../kit/builders.ts";
import { expectOneWinner, insert, numbered, type Open } from "./kit.ts";

export function notifications(aStore: Open): void {
  test("a notification comes back with every field", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const full = aNotification({
      type: "cancelled",
      status: "read",
      text: "中止 👩‍👩‍👧‍👦 '; --",
      taskId: "task-1",
      announcedAt: NOON + 1,
      readAt: NOON + 2,
      clearReason: "replaced",
    });

    await store.transaction(async (unit) => {
      await unit.insertNotification(full);
      await unit.insertNotification(aNotification({ id: "ntf-2" }));
    });

    expect(await store.getNotification(full.id)).toEqual(full);
    expect(await store.getNotification("ntf-2")).toEqual(aNotification({ id: "ntf-2" }));
    expect(await store.getNotification("no-such")).toBeUndefined();
  });

  test("open notifications are the pending and announced ones of an agent, oldest first", async () => {
    const store = await aStore();
    const [mine, other] = [numbered(1), numbered(2)];
    await insert(store, [mine, other]);
    const all = [
      aNotification({ id: "ntf-9", agentId: mine.id }),
      aNotification({ id: "ntf-2", agentId: mine.id, status: "read" }),
      aNotification({ id: "ntf-1", agentId: mine.id, status: "announced" }),
      aNotification({ id: "ntf-4", agentId: mine.id, status: "cleared" }),
      aNotification({ id: "ntf-5", agentId: other.id }),
    ];
    await store.transaction(async (unit) => {
      for (const notification of all) await unit.insertNotification(notification);
    });

    expect(await store.listOpenNotifications(mine.id)).toEqual([all[0], all[2]]);
    expect(await store.listNotifications(mine.id, 2)).toEqual([all[3], all[2]]);
    expect(await store.listNotifications(undefined, 10)).toEqual(all.toReversed());
    expect(await store.listNotifications("nobody", 10)).toEqual([]);
  });

  test("stop notifications are listed for their agent until they are cleared, read or not", async () => {
    const store = await aStore();
    const [mine, other] = [numbered(1), numbered(2)];
    await insert(store, [mine, other]);
    const stop = { agentId: mine.id, type: "blocked", taskId: "task-1" } as const;
    const all = [
      aNotification({ ...stop, id: "ntf-9" }),
      aNotification({ ...stop, id: "ntf-2", type: "cancelled", status: "read" }),
      aNotification({ ...stop, id: "ntf-3", status: "announced", agentId: other.id }),
      aNotification({ ...stop, id: "ntf-4", status: "cleared" }),
      aNotification({ id: "ntf-5", agentId: mine.id }),
      aNotification({ id: "ntf-6", agentId: mine.id, type: "replan" }),
    ];
    await store.transaction(async (unit) => {
      for (const notification of all) await unit.insertNotification(notification);
    });

    expect(await store.listStopNotifications(mine.id)).toEqual([all[0], all[1]]);
    expect(await store.listAllStopNotifications()).toEqual([all[0], all[1], all[2]]);
    expect(await store.listTaskNotifications("task-1")).toEqual(all.slice(0, 4));
    expect(await store.listStopNotifications("no-1-body")).toEqual([]);
    expect(await store.listTaskNotifications("task-2")).toEqual([]);

    const [first] = all;
    await store.transaction(async (unit) => {
      if (first) await unit.updateNotification({ ...first, status: "cleared" }, first);
    });
    expect(await store.listStopNotifications(mine.id)).toEqual([all[1]]);
  });

  test("one of two concurrent reads of a notification wins, and it is no longer open", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    await store.transaction((unit) => unit.insertNotification(aNotification()));
    const read = () =>
      store.transaction((unit) =>
        unit.updateNotification(aNotification({ status: "read", readAt: NOON }), aNotification()),
      );

    const outcomes = await Promise.allSettled([read(), read()]);

    expect(expectOneWinner(outcomes)).toMatchObject({ status: "read", version: 2 });
    expect(await store.listOpenNotifications(anAgent().id)).toEqual([]);
  });

  test("a notification for an unknown agent, or with an existing id, is an error", async () => {
    const store = await aStore();
    const tell = (agentId: Notification["agentId"]) =>
      store.transaction((unit) => unit.insertNotification(aNotification({ agentId })));

    await expect(tell("no-1-body")).rejects.toThrow(/foreign key/i);
    await insert(store, [anAgent()]);
    await tell(anAgent().id);
    await expect(tell(anAgent().id)).rejects.toThrow(/unique/i);
  });
}

export function aNotification(over: Partial<Notification> = {}): Notification {
  return {
    id: "ntf-1",
    agentId: anAgent().id,
    type: "message",
    status: "pending",
    text: "確認してください。",
    from: "a person",
    taskId: null,
    createdAt: NOON,
    announcedAt: null,
    readAt: null,
    clearReason: null,
    version: 1,
    ...over,
  };
}
