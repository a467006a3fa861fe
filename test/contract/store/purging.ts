import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import type { Group } from "../../../src/domain/groups/group.ts";
import { aGroup, NOON } from "../../kit/builders.ts";
import { anEvent, append, aResult, fullProgress, numbered, type Open, range } from "./kit.ts";
import { aNotification } from "./notifications.ts";

const OLD = aGroup({ id: "grp-old", status: "deleted", deletedAt: NOON });
const LATER = NOON + 1_000;

export function purging(aStore: Open): void {
  test("purging removes an old agent with everything that belongs to it, then its group", async () => {
    const store = await aStore();
    const agent = old(1);
    await insertOutOfView(store, [OLD], [agent]);
    await store.transaction(async (unit) => {
      await unit.putProgress(agent.id, fullProgress());
      await unit.putResult(agent.id, aResult({ agentId: agent.id }));
      await unit.insertNotification(aNotification({ agentId: agent.id }));
    });

    const purged = await store.transaction((unit) => unit.purgeHistory(LATER, 100));

    expect(purged).toEqual([agent.id]);
    expect(await store.getAgent(agent.id)).toBeUndefined();
    await expect(store.getPrompt(agent.id)).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
    expect(await store.getProgress(agent.id)).toEqual(NO_PROGRESS);
    expect(await store.getResult(agent.id)).toBeUndefined();
    expect(await store.listNotifications(undefined, 10)).toEqual([]);
    expect(await store.getGroup(OLD.id)).toBeUndefined();
    expect(await store.listAgents({ limit: 10 })).toMatchObject({ agents: [], total: 0 });
  });

  test("purging keeps agents that are in view, not settled or ended later, and their groups", async () => {
    const store = await aStore();
    const gone = old(1);
    const later = old(2, { endedAt: LATER });
    const living = old(3, { process: "alive", status: "running", endedAt: null });
    await insertOutOfView(store, [OLD], [gone, later, living]);
    const seen = aGroup({ id: "grp-seen" });
    await store.transaction(async (unit) => {
      await unit.insertGroup(seen);
      await unit.insertAgent(old(4, { groupId: seen.id }), "");
    });

    const purged = await store.transaction((unit) => unit.purgeHistory(LATER, 100));

    expect(purged).toEqual([gone.id]);
    expect(await store.getAgents(range(1, 4).map((n) => old(n).id))).toHaveLength(3);
    expect(await store.getGroup(OLD.id)).toEqual(OLD);
    expect(await store.getGroup(seen.id)).toEqual(seen);
  });

  test("purging removes at most the given number of agents, those that ended first", async () => {
    const store = await aStore();
    const agents = range(1, 5).map((n) => old(n, { endedAt: NOON + 10 - n }));
    await insertOutOfView(store, [OLD], agents);
    const purge = () => store.transaction((unit) => unit.purgeHistory(LATER, 2));

    expect((await purge()).toSorted()).toEqual([old(4).id, old(5).id]);
    expect((await purge()).toSorted()).toEqual([old(2).id, old(3).id]);
    expect(await store.getGroup(OLD.id)).toEqual(OLD);
    expect(await purge()).toEqual([old(1).id]);
    expect(await store.getGroup(OLD.id)).toBeUndefined();
    expect(await purge()).toEqual([]);
  });

  test("deleted groups are purged with their children; a parent stays as long as a child does", async () => {
    const store = await aStore();
    const child = { ...OLD, id: "grp-child", parentGroupId: OLD.id } as const;
    const grandchild = { ...OLD, id: "grp-grandchild", parentGroupId: child.id } as const;
    const parent = { ...OLD, id: "grp-parent" } as const;
    const active = aGroup({ id: "grp-active", parentGroupId: parent.id });
    const recent = { ...OLD, id: "grp-recent", deletedAt: LATER } as const;
    await insertOutOfView(store, [OLD, child, grandchild, parent, active, recent], []);

    await store.transaction((unit) => unit.purgeHistory(LATER, 100));

    const groups = [OLD, child, grandchild, parent, active, recent].map(({ id }) => id);
    const left = await Promise.all(groups.map((id) => store.getGroup(id)));
    expect(left.flatMap((group) => group?.id ?? [])).toEqual([parent.id, active.id, recent.id]);
  });

  test("purging removes old events, and new events continue the sequence", async () => {
    const store = await aStore();
    await append(
      store,
      [1, 2, 3, 4].map((n) => anEvent({ at: NOON + n })),
    );
    const all = await store.listEvents(0, 10);

    await store.transaction((unit) => unit.purgeHistory(NOON + 3, 100));
    expect(await store.listEvents(0, 10)).toEqual(all.slice(2));

    // The last number is kept even if all events are purged: readers continue from it.
    await store.transaction((unit) => unit.purgeHistory(LATER, 100));
    expect(await store.lastEventSeq()).toBe(all[3]?.seq);
    await append(store, [anEvent()]);
    expect(await store.lastEventSeq()).toBe((all[3]?.seq ?? 0) + 1);
  });

  test("purging an empty store removes nothing", async () => {
    const store = await aStore();

    expect(await store.transaction((unit) => unit.purgeHistory(LATER, 100))).toEqual([]);
    expect(await store.transaction((unit) => unit.shrinkView(20))).toEqual({
      agents: [],
      groups: [],
    });
  });
}

function old(n: number, over: Partial<Agent> = {}): Agent {
  return numbered(n, {
    groupId: OLD.id,
    process: "ended",
    status: "completed",
    endedAt: NOON,
    ...over,
  });
}

async function insertOutOfView(
  store: Store,
  groups: readonly Group[],
  agents: readonly Agent[],
): Promise<void> {
  await store.transaction(async (unit) => {
    for (const group of groups) await unit.insertGroup(group);
    for (const agent of agents) await unit.insertAgent(agent, "prompt");
    await unit.shrinkView(0);
  });
}
