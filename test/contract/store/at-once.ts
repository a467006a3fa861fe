import { expect, test } from "vitest";
import { anAgent } from "../../kit/builders.ts";
import {
  anEvent,
  insert,
  numbered,
  type Open,
  range,
  requireAgent,
  inOrder,
  type Writers,
} from "./kit.ts";

/** Transactions of a group commit succeed or fail independently. */
export function atOnce(aStore: Open, writers: Writers): void {
  test("when some of ten concurrent transactions fail, they are rolled back and the others are stored", async () => {
    const store = await aStore();
    await insert(store, []);

    const outcomes = await Promise.allSettled(
      range(1, 10).map((n) =>
        store.transaction(async (unit) => {
          await unit.insertAgent(numbered(n), "prompt");
          await unit.emit(anEvent({ agentId: numbered(n).id }));
          if (n % 3 === 0) throw new Error(`no ${n}`);
          return n;
        }),
      ),
    );

    const done = [1, 2, 4, 5, 7, 8, 10];
    expect(outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))).toEqual(
      done,
    );
    expect(
      outcomes.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : [])),
    ).toEqual(["Error: no 3", "Error: no 6", "Error: no 9"]);
    const ids = done.map((n) => numbered(n).id);
    const events = (await store.listEvents(0, 100)).map(({ agentId }) => agentId ?? "");
    expect(inOrder(writers, events)).toEqual(inOrder(writers, ids));
    const { agents, total } = await store.listAgents({ limit: 100 });
    const listed = agents.map(({ agent }) => agent.id).toReversed();
    expect(inOrder(writers, listed)).toEqual(inOrder(writers, ids));
    expect(total).toBe(ids.length);
  });

  test("in a group commit the first, the last or all transactions may fail", async () => {
    const store = await aStore();
    const outcomesOf = async (fails: readonly boolean[]) => {
      const from = await store.lastEventSeq();
      const units = fails.map((fail, n) =>
        store.transaction(async (unit) => {
          await unit.emit(anEvent({ summary: String(n) }));
          if (fail) throw new Error("no");
        }),
      );
      await Promise.allSettled(units);
      const events = await store.listEvents(from, 10);
      return inOrder(
        writers,
        events.map(({ data }) => Number(data["summary"])),
      );
    };

    expect(await outcomesOf([true, false, false])).toEqual([1, 2]);
    expect(await outcomesOf([false, false, true])).toEqual([0, 1]);
    expect(await outcomesOf([true, true, true])).toEqual([]);
    expect(await outcomesOf([true, false, true, false])).toEqual([1, 3]);
  });

  test("when concurrent transactions change one row, each sees the change of the one before", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const versions = await Promise.all(
      range(1, 5).map(() =>
        store.transaction(async (unit) => {
          const agent = await requireAgent(unit, anAgent().id);
          return (await unit.updateAgent({ ...agent, attempt: agent.attempt + 1 }, agent)).version;
        }),
      ),
    );

    expect(inOrder(writers, versions)).toEqual(range(1, 5).map((n) => anAgent().version + n));
  });

  test("a write that was rolled back is not in the row cache", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const set = (attempt: number, fail: boolean) =>
      store.transaction(async (unit) => {
        const agent = await requireAgent(unit, anAgent().id);
        await unit.updateAgent({ ...agent, attempt }, agent);
        if (fail) throw new Error("no");
      });

    await Promise.allSettled([set(1, false), set(2, true)]);
    expect((await requireAgent(store, anAgent().id)).attempt).toBe(1);
    await Promise.allSettled([set(3, false), set(4, true), set(5, false), set(6, true)]);
    const { attempt } = await requireAgent(store, anAgent().id);
    expect(writers === "one" ? [5] : [3, 5]).toContain(attempt);
  });

  test("a transaction that lost a race reads the winner's row", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const stop = () =>
      store.transaction(async (unit) => {
        const agent = await requireAgent(unit, anAgent().id);
        if (agent.stopReason !== null) throw new Error("It is stopped already.");
        await unit.updateAgent({ ...agent, stopReason: "cancelled" }, agent);
      });

    const outcome = () =>
      stop().then(
        () => "stopped it",
        async () => (await requireAgent(store, anAgent().id)).stopReason,
      );
    const found = await Promise.all([outcome(), outcome()]);

    // Either of them may win.
    expect(new Set(found)).toEqual(new Set(["stopped it", "cancelled"]));
  });

  test("a transaction that lost a race succeeds when it is retried", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    let attempts = 0;
    const addOne = async (): Promise<void> => {
      const agent = await requireAgent(store, anAgent().id);
      attempts += 1;
      if (attempts > 10) throw new Error("It never ends.");
      const { attempt } = agent;
      try {
        await store.transaction((unit) =>
          unit.updateAgent({ ...agent, attempt: attempt + 1 }, agent),
        );
      } catch {
        await addOne();
      }
    };

    await Promise.all([addOne(), addOne(), addOne()]);

    expect((await requireAgent(store, anAgent().id)).attempt).toBe(anAgent().attempt + 3);
    expect(attempts).toBeLessThanOrEqual(6);
  });

  test("a pending write of a failed transaction is not in the row cache", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const { id } = anAgent();

    for (const [before, after] of range(0, 60).map((n) => [n % 8, n >> 3] as const)) {
      const other = store.transaction((unit) => unit.emit(anEvent()));
      const failing = store.transaction(async (unit) => {
        const agent = await requireAgent(unit, id);
        const stray = turns(before).then(() => unit.updateAgent({ ...agent, attempt: 99 }, agent));
        stray.catch(() => undefined);
        await turns(after);
        throw new Error("no");
      });
      await Promise.allSettled([other, failing]);
      expect(await requireAgent(store, id)).toEqual(anAgent());
    }
  });

  test.runIf(writers === "one")(
    "continuations of one transaction run before those of the next",
    async () => {
      const store = await aStore();
      const steps: string[] = [];

      await Promise.all(
        range(1, 3).map(async (n) => {
          await store.transaction((unit) => unit.emit(anEvent({ summary: String(n) })));
          steps.push(`${n} is told`);
          await turns(20);
          steps.push(`${n} is done`);
        }),
      );

      expect(steps).toEqual(range(1, 3).flatMap((n) => [`${n} is told`, `${n} is done`]));
    },
  );

  test.runIf(writers === "one")(
    "a reader that waits for continuations runs after those of the rows it has read",
    async () => {
      const store = await aStore();
      const steps: string[] = [];
      const append = () => store.transaction((unit) => unit.emit(anEvent()));

      const watch = async () => {
        await append();
        const events = await store.listEvents(0, 10);
        steps.push(`${events.length} are there`);
        await store.afterCommitted();
        steps.push("all are told");
      };
      const watching = watch();
      const others = range(2, 3).map(async (n) => {
        await append();
        await turns(10);
        steps.push(`${n} knows`);
      });
      await Promise.all([watching, ...others]);

      expect(steps).toEqual(["3 are there", "2 knows", "3 knows", "all are told"]);
      await store.afterCommitted();
    },
  );

  test("a caller finds its rows once its transaction has resolved", async () => {
    const store = await aStore();
    await insert(store, []);

    const found = await Promise.all(
      range(1, 20).map(async (n) => {
        await store.transaction((unit) => unit.insertAgent(numbered(n), "prompt"));
        return (await store.getAgents([numbered(n).id])).length;
      }),
    );

    expect(found).toEqual(range(1, 20).map(() => 1));
  });
}

/** Waits for turns of the microtask queue. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}
