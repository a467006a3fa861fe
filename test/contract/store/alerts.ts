import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { Alert } from "../../../src/domain/alerts/alert.ts";
import { anAlert, NOON } from "../../kit/builders.ts";
import { expectOneWinner, type Open, range } from "./kit.ts";

const alert = (n: number, over: Partial<Alert> = {}) =>
  anAlert({ id: `alr-${n}`, key: `key-${n}`, ...over });

export function alerts(aStore: Open): void {
  test("an alert comes back with every field", async () => {
    const store = await aStore();
    const full = alert(1, {
      taskId: "task-1",
      groupId: "grp-1-0000",
      agentId: "a-1-0000",
      approvalId: "apr-1",
      detail: "なぜ",
      requester: "aoi",
      recipients: ["aoi", "田中"],
      messageId: "msg-1",
      tries: 3,
      error: "HTTP 500",
      endedAt: NOON,
    });
    const bare = alert(2, { recipients: null });

    await insert(store, [full, bare]);

    expect(await store.listAlerts({ limit: 10 })).toEqual([bare, full]);
  });

  test("a target gets the same alert once, and another target gets it too", async () => {
    const store = await aStore();
    const again = alert(2, { key: "key-1" });
    const other = alert(3, { key: "key-1", target: "browser" });

    const inserted = await insert(store, [alert(1), again, other]);

    expect(inserted).toEqual([true, false, true]);
    expect((await store.listAlerts({ limit: 10 })).map(({ id }) => id)).toEqual(["alr-3", "alr-1"]);
  });

  test("alerts are listed by status, the newest first, up to the limit", async () => {
    const store = await aStore();
    const sent = { status: "sent", dueAt: null } as const;
    const failed = { status: "failed", dueAt: null } as const;
    await insert(store, [alert(1, failed), alert(2, sent), alert(3), alert(4, failed)]);
    const list = async (statuses: Alert["status"][], limit: number) =>
      (await store.listAlerts({ statuses, limit })).map(({ id }) => id);

    expect(await list(["failed"], 10)).toEqual(["alr-4", "alr-1"]);
    expect(await list(["failed", "sent"], 2)).toEqual(["alr-4", "alr-2"]);
    expect(await store.listAlerts({ target: alert(1).target, limit: 10 })).toHaveLength(4);
    expect(await store.listAlerts({ target: "browser", limit: 10 })).toEqual([]);
  });

  test("due alerts come in the order of their times, of all targets or of one", async () => {
    const store = await aStore();
    await insert(store, [
      alert(1, { dueAt: NOON + 2 }),
      alert(2, { dueAt: NOON + 1, target: "browser" }),
      alert(3, { dueAt: NOON + 1 }),
      alert(4, { dueAt: NOON + 3 }),
      alert(5, { status: "sent", dueAt: null }),
    ]);
    const due = async (target?: string) =>
      (await store.listDueAlerts(NOON + 2, 10, target)).map(({ id }) => id);

    expect(await due()).toEqual(["alr-2", "alr-3", "alr-1"]);
    expect(await due("browser")).toEqual(["alr-2"]);
    expect(await store.listDueAlerts(NOON + 2, 1)).toHaveLength(1);
  });

  test("the next time is after the given one; of a target only if it was not tried", async () => {
    const store = await aStore();
    const { target } = alert(1);
    await insert(store, [
      alert(1, { dueAt: NOON + 1, messageId: "msg-1" }),
      alert(2, { dueAt: NOON + 5 }),
      alert(3, { dueAt: NOON + 3, target: "browser" }),
    ]);

    expect(await store.nextAlertDue(NOON)).toBe(NOON + 1);
    expect(await store.nextAlertDue(NOON + 1)).toBe(NOON + 3);
    expect(await store.nextAlertDue(NOON, target)).toBe(NOON + 5);
    expect(await store.nextAlertDue(NOON + 5)).toBeUndefined();
  });

  test("one of two concurrent updates of an alert wins", async () => {
    const store = await aStore();
    await insert(store, [alert(1)]);
    const update = (tries: number) =>
      store.transaction((unit) => unit.updateAlert({ ...alert(1), tries }, alert(1)));

    const outcomes = await Promise.allSettled([update(1), update(2)]);

    const { tries, version } = expectOneWinner(outcomes);
    expect(version).toBe(2);
    expect([1, 2]).toContain(tries);
  });

  test("the cursor is undefined, then the last one written, and can be removed", async () => {
    const store = await aStore();
    const put = (seq: number | undefined) => store.transaction((unit) => unit.putAlertCursor(seq));

    expect(await store.getAlertCursor()).toBeUndefined();
    await put(7);
    await put(9);
    expect(await store.getAlertCursor()).toBe(9);
    await put(undefined);
    expect(await store.getAlertCursor()).toBeUndefined();
  });

  test("the purge deletes old alerts, but none that is pending", async () => {
    const store = await aStore();
    const sent = { status: "sent", dueAt: null } as const;
    await insert(store, [
      alert(1, { ...sent, createdAt: NOON - 1 }),
      alert(2, { createdAt: NOON - 1 }),
      ...range(3, 4).map((n) => alert(n, sent)),
    ]);

    await store.transaction((unit) => unit.purgeHistory(NOON, 100));

    expect((await store.listAlerts({ limit: 10 })).map(({ id }) => id)).toEqual([
      "alr-4",
      "alr-3",
      "alr-2",
    ]);
  });
}

async function insert(store: Store, all: readonly Alert[]): Promise<readonly boolean[]> {
  return store.transaction(async (unit) => {
    const inserted: boolean[] = [];
    for (const each of all) inserted.push(await unit.insertAlert(each));
    return inserted;
  });
}
