import { expect, test } from "vitest";
import type { Store, UnitOfWork } from "../../../src/app/ports/store.ts";
import type { RunnerProblem } from "../../../src/domain/health/runner-problem.ts";
import { anAgent, aWorkspace, NOON } from "../../kit/builders.ts";
import { insert, numbered, type Open, range } from "./kit.ts";
import { aNotification } from "./notifications.ts";
import { aMessage, anInstallation } from "./slack.ts";

const UNITS = 6;

/** A unit of work writes what follows from what it has read: no other unit writes in between. */
export function deciding(aStore: Open): void {
  test("units that change one message of Slack at once lose no change", async () => {
    const store = await aStore();
    await store.transaction((unit) => unit.putSlackMessage(aMessage("card:1")));

    await atOnce(store, async (unit, n) => {
      const before = await unit.getSlackMessage("card:1");
      if (!before) throw new Error("No message.");
      const error = `${before.error ?? ""}${n}`;
      await unit.putSlackMessage({ ...before, tries: before.tries + 1, error });
    });

    const message = await store.getSlackMessage("card:1");
    expect(message?.tries).toBe(UNITS);
    expect(message?.error).toHaveLength(UNITS);
  });

  test("several units claim a message of Slack at once, and one gets it", async () => {
    const store = await aStore();
    await store.transaction((unit) => unit.putSlackMessage(aMessage("card:1")));

    const claimed = await atOnce(store, async (unit) => {
      const message = await unit.getSlackMessage("card:1");
      if (message?.status !== "new") return false;
      await unit.putSlackMessage({ ...message, status: "posting" });
      return true;
    });

    expect(claimed.filter(Boolean)).toHaveLength(1);
  });

  test("several units store a message of Slack that is not there yet, and one creates it", async () => {
    const store = await aStore();

    const created = await atOnce(store, async (unit, n) => {
      if (await unit.getSlackMessage("card:1")) return [];
      await unit.putSlackMessage(aMessage("card:1", { tries: n }));
      return [n];
    });

    expect(created.flat()).toEqual([(await store.getSlackMessage("card:1"))?.tries]);
  });

  test("several units remove a workspace of Slack at once, and one finds it", async () => {
    const store = await aStore();
    await store.transaction((unit) => unit.putSlackInstallation(anInstallation("T1")));

    const found = await atOnce(store, async (unit) => {
      const installation = await unit.getSlackInstallation("T1");
      await unit.deleteSlackInstallation("T1");
      return installation !== undefined;
    });

    expect(found.filter(Boolean)).toHaveLength(1);
  });

  test("units that move the cursor of alerts at once go on from each other", async () => {
    const store = await aStore();
    await store.transaction((unit) => unit.putAlertCursor(100));

    await atOnce(store, async (unit) =>
      unit.putAlertCursor(((await unit.getAlertCursor()) ?? 0) + 1),
    );

    expect(await store.getAlertCursor()).toBe(100 + UNITS);
  });

  test("units that count the problem of one runner at once lose no count", async () => {
    const store = await aStore();
    const problem: RunnerProblem = {
      runner: "claude",
      kind: "quota",
      reason: "limit",
      since: NOON,
      until: NOON + 1,
      isResetKnown: false,
      count: 1,
    };
    await store.transaction((unit) => unit.putRunnerProblem(problem));

    await atOnce(store, async (unit) => {
      const known = await unit.getRunnerProblem("claude");
      await unit.putRunnerProblem({ ...problem, count: (known?.count ?? 0) + 1 });
    });

    expect(await store.getRunnerProblem("claude")).toEqual({ ...problem, count: 1 + UNITS });
    expect(await store.getRunnerProblem("codex")).toBeUndefined();
  });

  test("several units pin a new tool at once, and the first one wins", async () => {
    const store = await aStore();

    const pinned = await atOnce(store, async (unit, n) => {
      if ((await unit.listToolPins()).length > 0) return [];
      await unit.putToolPin({ ...PIN, hash: `${n}` });
      return [`${n}`];
    });

    expect(pinned.flat()).toEqual((await store.listToolPins()).map(({ hash }) => hash));
  });

  test("several units lease the same ports at once, and one gets them", async () => {
    const store = await aStore();
    const all = range(1, UNITS).map((n) => aWorkspace({ id: `wsp-0${n}` }));
    await store.transaction(async (unit) => {
      for (const workspace of all) await unit.insertWorkspace(workspace);
    });

    const leased = await atOnce(store, async (unit, n) => {
      const workspace = all[n - 1];
      if (!workspace || (await unit.listLeasedPorts()).length > 0) return false;
      await unit.updateWorkspace({ ...workspace, ports: { from: 4_000, count: 10 } }, workspace);
      return true;
    });

    expect(leased.filter(Boolean)).toHaveLength(1);
  });

  test("several units start the only writer in a directory at once, and one does", async () => {
    const store = await aStore();
    await insert(store, []);
    const started = await atOnce(store, async (unit, n) => {
      if ((await unit.listWritersIn(WRITER.tree)).length > 0) return false;
      return unit.insertAgent(numbered(n, WRITER), "prompt");
    });

    expect(started.filter(Boolean)).toHaveLength(1);
  });

  test("several units continue the same conversation at once, and one does", async () => {
    const store = await aStore();
    await insert(store, []);
    const continued = await atOnce(store, async (unit, n) => {
      if ((await unit.listAgentsResuming("codex", "talk")).length > 0) return false;
      const agent = numbered(n, { runner: "codex", resumeSession: "talk" });
      return unit.insertAgent(agent, "prompt");
    });

    expect(continued.filter(Boolean)).toHaveLength(1);
  });

  test("units that announce the same notifications at once do not refuse each other", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    await store.transaction((unit) => unit.insertNotification(aNotification()));

    const announced = await atOnce(store, async (unit) => {
      const open = await unit.listOpenNotifications(anAgent().id);
      const pending = open.filter(({ status }) => status === "pending");
      for (const each of pending) {
        await unit.updateNotification({ ...each, status: "announced" }, each);
      }
      return pending.length;
    });

    expect(announced.reduce((sum, count) => sum + count, 0)).toBe(1);
  });

  test("units that clear the same stop notifications at once do not refuse each other", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    await store.transaction((unit) => unit.insertNotification(aNotification({ type: "blocked" })));

    const cleared = await atOnce(store, async (unit) => {
      const stops = await unit.listStopNotifications(anAgent().id);
      for (const each of stops) {
        await unit.updateNotification({ ...each, status: "cleared" }, each);
      }
      return stops.length;
    });

    expect(cleared.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
}

const WRITER = { tree: "/work/app", access: "read-write", process: "waiting" } as const;

const PIN = {
  server: "hr",
  tool: "list_people",
  definition: { description: "", inputSchema: {} },
  acceptedBy: "system",
  at: NOON,
} as const;

/** Runs the units at the same time, each on a connection of its own where there are several. */
async function atOnce<T>(
  store: Store,
  work: (unit: UnitOfWork, n: number) => Promise<T>,
): Promise<readonly T[]> {
  const units = range(1, UNITS);
  // Without this the first unit would have ended before the connections of the others are open.
  await Promise.all(units.map(() => store.transaction((unit) => unit.lastEventSeq())));
  return Promise.all(units.map((n) => store.transaction((unit) => work(unit, n))));
}
