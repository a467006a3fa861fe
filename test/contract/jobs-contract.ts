import { describe, expect, onTestFinished, test } from "vitest";
import { createEvents } from "../../src/app/events.ts";
import { runJobs } from "../../src/app/jobs/start-jobs.ts";
import type { Jobs, RunJob } from "../../src/app/ports/jobs.ts";
import type { Store } from "../../src/app/ports/store.ts";
import type { AgentId } from "../../src/domain/ids.ts";
import { aGroup, anAgent, NOON } from "../kit/builders.ts";

export type StoreWithJobs = { readonly store: Store; readonly jobs: Jobs };

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** Runs the jobs of this store until the test ends. Returns the function that stops it. */
export function running({ store, jobs }: StoreWithJobs, run: RunJob): () => Promise<void> {
  const events = createEvents({ store, log: SILENT });
  const stop = runJobs({ jobs, events }, run);
  onTestFinished(async () => {
    await stop();
    events.close();
  });
  return stop;
}

/** Commits an agent with its end. */
export async function settle(store: Store, id: AgentId): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertAgent(anAgent({ id }), "prompt");
    await emitEnd(unit, id);
  });
}

async function emitEnd(unit: Parameters<Parameters<Store["transaction"]>[0]>[0], agentId: AgentId) {
  const { id: groupId } = aGroup();
  await unit.emit({
    type: "agent:completed",
    groupId,
    agentId,
    at: NOON,
    data: { status: "failed" },
  });
}

/** The contract of every adapter of jobs. `open` returns an empty store. */
export function jobsContract(name: string, open: () => Promise<StoreWithJobs>): void {
  const opened = async (): Promise<StoreWithJobs> => {
    const there = await open();
    onTestFinished(() => there.store.close());
    return there;
  };

  describe(`${name} runs jobs`, () => {
    test("soon after the commit that caused them, and none after a rollback", async () => {
      const there = await opened();
      const seen: string[] = [];
      running(there, async ({ kind, id }) => {
        // What the transaction wrote is visible.
        const row = await there.store.getAgent(id);
        seen.push(`${kind} ${row?.id}`);
      });

      const failed = there.store.transaction(async (unit) => {
        await emitEnd(unit, "impl-code-1-rolled");
        throw new Error("rolled back");
      });
      await expect(failed).rejects.toThrow("rolled back");
      await settle(there.store, "impl-code-1-a");

      await expect.poll(() => seen, { timeout: 2_000 }).toEqual(["agent_settled impl-code-1-a"]);
    });

    test("again until they succeed, while others go on", async () => {
      const there = await opened();
      const tries = new Map<string, number>();
      running(there, async ({ id }) => {
        const tried = (tries.get(id) ?? 0) + 1;
        tries.set(id, tried);
        if (id === "impl-code-1-a" && tried < 2) throw new Error("not yet");
      });

      await settle(there.store, "impl-code-1-a");
      await there.store.transaction((unit) => emitEnd(unit, "impl-code-1-b"));

      await expect.poll(() => tries.get("impl-code-1-b"), { timeout: 2_000 }).toBe(1);
      await expect.poll(() => tries.get("impl-code-1-a"), { timeout: 20_000 }).toBe(2);
    });

    test("until they are stopped, and waits for those that run", async () => {
      const there = await opened();
      const gate = Promise.withResolvers<void>();
      const seen: string[] = [];
      const stop = running(there, async ({ id }) => {
        seen.push(`began ${id}`);
        await gate.promise;
        seen.push(`ended ${id}`);
      });
      await settle(there.store, "impl-code-1-a");
      await expect.poll(() => seen).toEqual(["began impl-code-1-a"]);

      const stopped = stop().then(() => seen.push("stopped"));
      await there.store.transaction((unit) => emitEnd(unit, "impl-code-1-b"));
      gate.resolve();
      await stopped;

      expect(seen).toEqual(["began impl-code-1-a", "ended impl-code-1-a", "stopped"]);
    });

    test("and gives up none that fails once: no dead job is listed, and none is tried again", async () => {
      const there = await opened();
      let tries = 0;
      running(there, async () => {
        if (++tries < 2) throw new Error("not yet");
      });
      await settle(there.store, "impl-code-1-a");
      await expect.poll(() => tries).toBeGreaterThan(0);

      expect(await there.jobs.listDead(10)).toEqual([]);
      const retry = (id?: string) => there.store.transaction((unit) => unit.retryDeadJobs(id));
      expect(await retry()).toEqual([]);
      expect(await retry("none")).toEqual([]);
      expect(await there.jobs.countDead()).toEqual({});
    });

    test("every hour, beginning now, and counts no dead job without a failure", async () => {
      const there = await opened();
      running(there, async () => undefined);
      let purges = 0;

      const end = there.jobs.everyHour("purge_history", async () => void purges++);
      onTestFinished(end);

      await expect.poll(() => purges).toBe(1);
      expect(await there.jobs.countDead()).toEqual({});
    });
  });
}
