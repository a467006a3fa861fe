import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import { anAgent, aToolCall } from "../../kit/builders.ts";
import {
  type AnEvent,
  anEvent,
  insert,
  numbered,
  type Open,
  range,
  inOrder,
  type Writers,
} from "./kit.ts";

/** What a store publishes after a commit, and what it never publishes. */
export function publishing(aStore: Open, writers: Writers): void {
  test("subscribers get the events of a transaction after its commit, in order, with their numbers", async () => {
    const store = await aStore();
    const seen = summariesOf(store);

    await store.transaction(async (unit) => {
      await unit.emit(anEvent({ summary: "first" }));
      unit.emitTransient({
        ...anEvent(),
        type: "agent:status_update",
        data: { status: "running" },
      });
      await unit.emit(anEvent({ summary: "second" }));
      expect(seen).toEqual([]);
    });

    expect(seen).toEqual(["1 first", "null running", "2 second"]);
    expect(await store.lastEventSeq()).toBe(2);
  });

  test("a subscriber that gets an event finds the row that was written with it", async () => {
    const store = await aStore();
    await insert(store, []);
    const found: Promise<unknown>[] = [];
    store.subscribe(({ agentId }) => found.push(store.getAgent(agentId ?? "")));

    await store.transaction(async (unit) => {
      await unit.insertAgent(anAgent(), "prompt");
      await unit.emit(anEvent());
    });

    expect(await Promise.all(found)).toEqual([anAgent()]);
  });

  test("a transaction that fails publishes nothing and runs none of its callbacks", async () => {
    const store = await aStore();
    const seen = summariesOf(store);

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent({ summary: "never" }));
      unit.emitTransient({
        ...anEvent(),
        type: "agent:status_update",
        data: { status: "running" },
      });
      unit.afterCommit(() => void seen.push("callback"));
      throw new Error("no");
    });

    await expect(attempt).rejects.toThrow("no");
    await store.afterCommitted();
    expect(seen).toEqual([]);
  });

  test.runIf(writers === "one")(
    "a commit that fails publishes nothing and runs no callback of its transactions",
    async () => {
      const store = await aStore();
      const seen = summariesOf(store);
      const emit = (summary: string, withoutTask: boolean) =>
        store.transaction(async (unit) => {
          await unit.emit(anEvent({ summary }));
          unit.afterCommit(() => void seen.push("callback"));
          // The missing task is detected at the commit, not when the row is written.
          if (withoutTask) await unit.insertToolCall(aToolCall());
        });

      const outcomes = await Promise.allSettled([emit("first", false), emit("second", true)]);

      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      await store.afterCommitted();
      expect(seen).toEqual([]);
      expect(await store.lastEventSeq()).toBe(0);
    },
  );

  test.runIf(writers === "one")(
    "the successful ones of ten transactions in one commit publish, in the order of the commits",
    async () => {
      const store = await aStore();
      const seen = summariesOf(store);

      await Promise.allSettled(
        range(1, 10).map((n) =>
          store.transaction(async (unit) => {
            await unit.emit(anEvent({ summary: String(n) }));
            unit.afterCommit(() => void seen.push(`after ${n}`));
            if (n % 3 === 0) throw new Error("no");
          }),
        ),
      );

      const done = [1, 2, 4, 5, 7, 8, 10];
      const texts = seen.map((each) => each.replace(/^\d+ /, ""));
      expect(texts).toEqual(done.flatMap((n) => [`after ${n}`, `${n}`]));
      const stored = await store.listEvents(0, 100);
      expect(seen.filter((each) => !each.startsWith("after"))).toEqual(
        stored.map(({ seq, data }) => `${seq} ${String(data["summary"])}`),
      );
    },
  );

  test("transactions of many moments publish every event once, in the order of its number", async () => {
    const store = await aStore();
    const ids: (number | null)[] = [];
    store.subscribe((_, id) => ids.push(id));

    await Promise.all(
      range(1, 60).map(async (n) => {
        for (let turn = n >> 2; turn > 0; turn -= 1) await nextTurn();
        await store.transaction((unit) => unit.emit(anEvent({ summary: String(n) })));
      }),
    );

    expect(inOrder(writers, ids.map(Number))).toEqual(range(1, 60));
  });

  test("a commit that fails alone publishes nothing and runs none of its callbacks", async () => {
    const store = await aStore();
    const seen = summariesOf(store);

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent({ summary: "never" }));
      unit.afterCommit(() => void seen.push("callback"));
      // The missing task is detected at the commit, not when the row is written.
      await unit.insertToolCall(aToolCall());
    });

    await expect(attempt).rejects.toThrow(/foreign key/i);
    await store.afterCommitted();
    expect(seen).toEqual([]);
    expect(await store.lastEventSeq()).toBe(0);
  });

  test("concurrent transactions publish each event once, after the callbacks of its transaction", async () => {
    const store = await aStore();
    const seen = summariesOf(store);

    await Promise.all(
      range(1, 20).map((n) =>
        store.transaction(async (unit) => {
          await unit.emit(anEvent({ summary: `first of ${n}` }));
          await unit.emit(anEvent({ summary: `second of ${n}` }));
          unit.afterCommit(() => void seen.push(`after ${n}`));
        }),
      ),
    );

    const texts = seen.map((each) => each.replace(/^\d+ /, ""));
    expect(texts.toSorted()).toEqual(
      range(1, 20)
        .flatMap((n) => [`after ${n}`, `first of ${n}`, `second of ${n}`])
        .toSorted(),
    );
    for (const n of range(1, 20)) {
      const places = [`after ${n}`, `first of ${n}`, `second of ${n}`].map((it) =>
        texts.indexOf(it),
      );
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  });

  test("a subscriber that throws breaks neither the transaction nor the other subscribers", async () => {
    const store = await aStore();
    store.subscribe(() => {
      throw new Error("broken");
    });
    const seen = summariesOf(store);

    const done = await store.transaction(async (unit) => {
      await unit.emit(anEvent({ summary: "a" }));
      await unit.emit(anEvent({ summary: "b" }));
      return "done";
    });

    expect(done).toBe("done");
    expect(seen).toEqual(["1 a", "2 b"]);
  });

  test("a callback that fails breaks neither the transaction nor the other callbacks nor the events", async () => {
    const store = await aStore();
    await insert(store, []);
    const seen = summariesOf(store);

    await store.transaction(async (unit) => {
      await unit.insertAgent(numbered(1), "prompt");
      await unit.emit(anEvent({ summary: "a" }));
      unit.afterCommit(() => {
        throw new Error("broken");
      });
      unit.afterCommit(() => Promise.reject(new Error("broken later")));
      unit.afterCommit(() => void seen.push("last callback"));
    });

    expect(seen).toEqual(["last callback", "1 a"]);
    expect(await store.getAgent(numbered(1).id)).toBeDefined();
  });

  test("a transaction resolves once its callbacks are done, and a callback may use the store", async () => {
    const store = await aStore();
    const seen = summariesOf(store);

    await store.transaction(async (unit) => {
      await unit.emit(anEvent({ summary: "outer" }));
      unit.afterCommit(() => store.transaction((next) => next.emit(anEvent({ summary: "inner" }))));
    });

    expect(seen).toEqual(["1 outer", "2 inner"]);
  });

  test("a subscriber that has left gets no more events", async () => {
    const store = await aStore();
    const seen: AnEvent["type"][] = [];
    const leave = store.subscribe(() => seen.push("agent:result_reported"));
    const emit = () => store.transaction((unit) => unit.emit(anEvent()));

    await emit();
    leave();
    await emit();

    expect(seen).toHaveLength(1);
  });
}

/** `{id} {summary or status}` of each event. */
function summariesOf(store: Store): string[] {
  const seen: string[] = [];
  store.subscribe((event, id) => {
    if (event.type === "agent:result_reported") seen.push(`${id} ${event.data.summary}`);
    if (event.type === "agent:status_update") seen.push(`${id} ${event.data.status}`);
  });
  return seen;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
