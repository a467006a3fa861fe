import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RecordedEvent } from "../../../src/app/ports/store.ts";
import { anAgent, NOON } from "../../kit/builders.ts";
import { anEvent, append, insert, type Open, range } from "./kit.ts";

export function recording(aStore: Open): void {
  test("an event is numbered and comes back with every field", async () => {
    const store = await aStore();
    const first = anEvent({ summary: "二" });
    const second = {
      type: "healthcheck:model_validation",
      data: { results: [], availableModels: { cursor: ["一", "二"] } },
      groupId: null,
      agentId: null,
      at: NOON,
    } as const;

    await store.transaction(async (unit) => {
      await unit.emit(first);
      await unit.emit(second);
    });

    const stored = await store.listEvents(0, 10);
    expect(stored).toEqual([first, second].map((event, n) => ({ seq: n + 1, ...event })));
    expect(await store.lastEventSeq()).toBe(2);
  });

  test("events are read after any sequence number, up to the limit", async () => {
    const store = await aStore();
    await append(
      store,
      range(1, 5).map((n) => anEvent({ at: n })),
    );
    const all = await store.listEvents(0, 100);

    expect(await store.listEvents(all[1]?.seq ?? 0, 2)).toEqual(all.slice(2, 4));
    expect(await store.listEvents(await store.lastEventSeq(), 10)).toEqual([]);
  });

  test("an event of a transaction that fails is not stored", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent());
      await unit.updateAgent(anAgent(), anAgent({ version: 7 }));
    });

    await expect(attempt).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await store.listEvents(0, 10)).toEqual([]);
  });

  test("a reader that follows events while 50 transactions commit misses none and sees none twice", async () => {
    const store = await aStore();
    let last = 0;
    const followed: RecordedEvent[] = [];
    // Up to here no transaction with a lower number can commit any more.
    const follow = async () => {
      const settled = await store.settledEventSeq();
      const events = (await store.listEvents(last, 7)).filter(({ seq }) => seq <= settled);
      followed.push(...events);
      last = events.at(-1)?.seq ?? last;
      return events.length;
    };

    const writers = range(1, 50).map(async (n) => {
      // Some concurrent, some not: a store may group concurrent transactions.
      for (let turn = n >> 2; turn > 0; turn -= 1) await nextTurn();
      await append(store, [anEvent({ at: n, summary: "1" }), anEvent({ at: n, summary: "2" })]);
    });
    const ended = new Set<number>();
    for (const [n, writer] of writers.entries()) void writer.then(() => ended.add(n));
    while (ended.size < writers.length) {
      await follow();
      await nextTurn();
    }
    while ((await follow()) > 0);

    expect(followed).toHaveLength(100);
    expect(followed).toEqual(await store.listEvents(0, 1_000));
    for (const n of range(1, 50)) {
      const steps = followed.filter(({ at }) => at === n).map(({ data }) => data["summary"]);
      expect(steps).toEqual(["1", "2"]);
    }
  });
}
