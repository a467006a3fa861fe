import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import { anAgent, anExecution, aProcessDraft, aTask } from "../../kit/builders.ts";
import { insert, numbered, type Open, requireAgent } from "./kit.ts";
import { aNotification } from "./notifications.ts";

const TOKEN = "hash-of-a-token";
const CHANGES = 300;

/** The row cache never returns stale rows. */
export function readingAgain(aStore: Open): void {
  test("a cached row is read again after each change", async () => {
    const store = await aStore();
    const agent = anAgent({ process: "alive", tokenHash: TOKEN });
    await insert(store, [agent]);
    expect(await store.findAgentByTokenHash(TOKEN)).toEqual(agent);
    expect(await store.listStopNotifications(agent.id)).toEqual([]);
    expect(await store.listOpenNotifications(agent.id)).toEqual([]);
    const notification = aNotification({ agentId: agent.id, type: "blocked" });

    const ended = await store.transaction(async (unit) => {
      await unit.insertNotification(notification);
      return unit.updateAgent({ ...agent, process: "ended" }, agent);
    });

    expect(await store.getAgent(agent.id)).toEqual(ended);
    expect(await store.findAgentByTokenHash(TOKEN)).toBeUndefined();
    expect(await store.listStopNotifications(agent.id)).toEqual([notification]);
    expect(await store.listOpenNotifications(agent.id)).toEqual([notification]);

    await store.transaction((unit) =>
      unit.updateNotification({ ...notification, status: "cleared" }, notification),
    );

    expect(await store.listStopNotifications(agent.id)).toEqual([]);
    expect(await store.listOpenNotifications(agent.id)).toEqual([]);
  });

  test("a row that was missing at first is found once it is inserted", async () => {
    const store = await aStore();
    const [task, process, execution] = [aTask(), aProcessDraft(), anExecution()];
    const agent = anAgent({ process: "alive", tokenHash: TOKEN });
    expect(await store.getTask(task.id)).toBeUndefined();
    expect(await store.getProcessDraft(process.id)).toBeUndefined();
    expect(await store.getExecution(execution.id)).toBeUndefined();
    expect(await store.getAgent(agent.id)).toBeUndefined();
    expect(await store.findAgentByTokenHash(TOKEN)).toBeUndefined();

    await insert(store, [agent]);
    await store.transaction(async (unit) => {
      await unit.insertTask(task);
      await unit.insertProcessDraft(process);
      await unit.insertExecution(execution);
    });

    expect(await store.getTask(task.id)).toEqual(task);
    expect(await store.getProcessDraft(process.id)).toEqual(process);
    expect(await store.getExecution(execution.id)).toEqual(execution);
    expect(await store.getAgent(agent.id)).toEqual(agent);
    expect(await store.findAgentByTokenHash(TOKEN)).toEqual(agent);
  });

  test("a revoked token finds no agent; the new token does", async () => {
    const store = await aStore();
    const agent = anAgent({ process: "alive", tokenHash: TOKEN });
    await insert(store, [agent]);
    await store.findAgentByTokenHash(TOKEN);
    await store.findAgentByTokenHash("another");

    const given = await store.transaction((unit) =>
      unit.updateAgent({ ...agent, tokenHash: "another" }, agent),
    );

    expect(await store.findAgentByTokenHash(TOKEN)).toBeUndefined();
    expect(await store.findAgentByTokenHash("another")).toEqual(given);
  });

  test("a transaction sees its writes; a concurrent reader sees the rows before it", async () => {
    const store = await aStore();
    const agent = anAgent();
    await insert(store, [agent]);
    await store.getAgent(agent.id);
    const { promise: written, resolve: say } = Promise.withResolvers<void>();
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();

    const changing = store.transaction(async (unit) => {
      const next = await unit.updateAgent({ ...agent, attempt: 7 }, agent);
      expect(await unit.getAgent(agent.id)).toEqual(next);
      say();
      await asked;
      return next;
    });
    await written;
    const meanwhile = store.getAgent(agent.id);
    // A store with one connection answers after the transaction.
    await Promise.race([meanwhile, new Promise((resolve) => setImmediate(resolve))]);
    goOn();
    const next = await changing;

    expect([agent, next]).toContainEqual(await meanwhile);
    expect(await store.getAgent(agent.id)).toEqual(next);
  });

  test("a rolled-back change is not visible, also on a second read", async () => {
    const store = await aStore();
    const agent = anAgent();
    await insert(store, [agent]);

    const broken = store.transaction(async (unit) => {
      await unit.updateAgent({ ...agent, attempt: 7 }, agent);
      await unit.insertNotification(aNotification({ agentId: agent.id, type: "blocked" }));
      await unit.getAgent(agent.id);
      await unit.listStopNotifications(agent.id);
      throw new Error("changed my mind");
    });

    await expect(broken).rejects.toThrow("changed my mind");
    expect(await store.getAgent(agent.id)).toEqual(agent);
    expect(await store.listStopNotifications(agent.id)).toEqual([]);
  });

  test(`${CHANGES} changes with readers in between: single reads and list reads agree`, async () => {
    const store = await aStore();
    const agents = [1, 2, 3].map((n) => numbered(n));
    await insert(store, agents);
    const ids = agents.map(({ id }) => id);
    const over = new AbortController();
    const reading = [0, 1].map(async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        await store.getAgent(ids[n % ids.length] ?? "");
        if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });

    for (let n = 0; n < CHANGES; n++) {
      await change(store, ids[n % ids.length] ?? "", n);
      const oneByOne = await Promise.all(ids.map((id) => requireAgent(store, id)));
      expect(oneByOne).toEqual(await store.getAgents(ids));
    }
    over.abort();
    await Promise.all(reading);
  });
}

/** Every seventh change is rolled back. */
async function change(store: Store, id: string, n: number): Promise<void> {
  await store
    .transaction(async (unit) => {
      const [agent] = await unit.getAgents([id]);
      if (agent) await unit.updateAgent({ ...agent, attempt: n }, agent);
      if (n % 7 === 0) throw new Error("taken back");
    })
    .catch((error: unknown) => {
      if (n % 7 !== 0) throw error;
    });
}
