import { expect, test } from "vitest";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import { aGroup, anAgent } from "../../kit/builders.ts";
import {
  anEvent,
  append,
  aReport,
  aResult,
  fullProgress,
  insert,
  type Open,
  range,
} from "./kit.ts";

export function committing(aStore: Open): void {
  test("a transaction returns the result of its work", async () => {
    const store = await aStore();

    expect(await store.transaction(async () => 42)).toBe(42);
  });

  test("a transaction whose work throws is rolled back", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      await unit.insertAgent(anAgent(), "prompt");
      await unit.putProgress(anAgent().id, fullProgress());
      await unit.putReport(anAgent().id, aReport());
      await unit.putResult(anAgent().id, aResult());
      await unit.emit(anEvent());
      throw new Error("power cut");
    });

    await expect(attempt).rejects.toThrow("power cut");
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
    expect(await store.getAgent(anAgent().id)).toBeUndefined();
    expect(await store.getProgress(anAgent().id)).toEqual(NO_PROGRESS);
    expect(await store.getReport(anAgent().id)).toBeUndefined();
    expect(await store.getResult(anAgent().id)).toBeUndefined();
    expect(await store.listAgents({ limit: 10 })).toMatchObject({ agents: [], total: 0 });
    expect(await store.lastEventSeq()).toBe(0);
  });

  test("an error thrown inside a transaction reaches the caller unchanged", async () => {
    const store = await aStore();
    const error = Object.assign(new Error("no such file"), { code: "ENOENT" });

    await expect(store.transaction(() => Promise.reject(error))).rejects.toBe(error);
  });

  test("a change that is rolled back leaves the row as it was", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const attempt = store.transaction(async (unit) => {
      await unit.updateAgent(anAgent({ status: "cancelled", process: "ended" }), anAgent());
      throw new Error("no");
    });

    await expect(attempt).rejects.toThrow("no");
    expect(await store.getAgent(anAgent().id)).toEqual(anAgent());
    expect((await store.listAgents({ limit: 1, statuses: ["queued"] })).total).toBe(1);
  });

  test("a transaction sees its own writes; other readers see them only after the commit", async () => {
    const store = await aStore();
    const { promise: written, resolve: tellWritten } = Promise.withResolvers<void>();
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>();

    const writing = store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      expect(await unit.getGroup(aGroup().id)).toEqual(aGroup());
      tellWritten();
      await go;
      throw new Error("never mind");
    });
    await written;
    const reading = store.getGroup(aGroup().id);
    letGo();

    await expect(writing).rejects.toThrow("never mind");
    expect(await reading).toBeUndefined();
  });

  test("the store used inside its own transaction throws at once", async () => {
    const store = await aStore();

    const nested = store.transaction(() => store.transaction(async () => "in"));
    await expect(nested).rejects.toThrow("inside its own transaction");
    const read = store.transaction(() => store.getAgent("x"));
    await expect(read).rejects.toThrow("inside its own transaction");
    const closing = store.transaction(() => store.close());
    await expect(closing).rejects.toThrow("inside its own transaction");

    expect(await store.transaction(async () => "still works")).toBe("still works");
  });

  test("a callback started in a transaction may use the store after the transaction has ended", async () => {
    const store = await aStore();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();

    const later = await store.transaction(async () => ({
      promise: ended.then(() => store.lastEventSeq()),
    }));
    end();

    expect(await later.promise).toBe(0);
  });

  test("two open stores do not affect each other", async () => {
    const [one, other] = [await aStore(), await aStore()];

    await one.transaction(() => other.transaction((unit) => unit.insertGroup(aGroup())));

    expect(await one.getGroup(aGroup().id)).toBeUndefined();
    expect(await other.getGroup(aGroup().id)).toEqual(aGroup());
  });

  test("a unit of work is unusable after its transaction has ended", async () => {
    const store = await aStore();
    const kept = await store.transaction(async (unit) => ({ unit }));

    await expect(kept.unit.insertGroup(aGroup())).rejects.toThrow("has ended");

    expect(await store.getGroup(aGroup().id)).toBeUndefined();
  });

  test("a write that is not awaited fails the whole transaction", async () => {
    const store = await aStore();

    const careless = store.transaction(async (unit) => {
      void unit.insertGroup(aGroup());
    });

    await expect(careless).rejects.toThrow("not awaited");
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
  });

  test("when one write fails, writes that are still pending are rolled back too", async () => {
    const store = await aStore();

    for (const moment of range(0, 20)) {
      const attempt = store.transaction((unit) =>
        Promise.all([failAfter(moment), ...range(1, 50).map(() => unit.emit(anEvent()))]),
      );
      await expect(attempt).rejects.toThrow("failed");
    }

    await append(store, [anEvent({ summary: "the only one" })]);
    expect(await store.listEvents(0, 10)).toMatchObject([{ data: { summary: "the only one" } }]);
  });

  test("a failed query fails the transaction, even if its error is caught", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent());
      await unit.insertAgent(anAgent(), "of no group").catch(() => "never mind");
      await unit.insertGroup(aGroup()).catch(() => "never mind");
    });

    await expect(attempt).rejects.toThrow(/foreign key/i);
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
    expect(await store.lastEventSeq()).toBe(0);
  });

  test("a refusal inside a transaction may be caught, and the transaction continues", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    await store.transaction(async (unit) => {
      await unit.updateAgent(anAgent(), anAgent({ version: 7 })).catch(() => "lost the race");
      await unit.emit(anEvent());
    });

    expect(await store.listEvents(0, 10)).toHaveLength(1);
  });

  test("using a closed store throws; closing it twice is harmless", async () => {
    const store = await aStore();
    const last = store.transaction((unit) => unit.insertGroup(aGroup()));

    await store.close();
    await store.close();

    expect(await last).toBe(true);
    await expect(store.getGroup(aGroup().id)).rejects.toThrow("closed");
    await expect(store.transaction(async () => 1)).rejects.toThrow("closed");
  });
}

/** Waits for this many turns of the microtask queue. */
async function failAfter(moment: number): Promise<never> {
  for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
  throw new Error("failed");
}
