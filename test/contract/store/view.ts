import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { AgentStatus } from "../../../src/domain/agents/agent.ts";
import type { GroupId } from "../../../src/domain/ids.ts";
import { aGroup, NOON } from "../../kit/builders.ts";
import { fullProgress, numbered, type Open, range } from "./kit.ts";

export function view(aStore: Open): void {
  test("agents in view are listed newest first with their progress, up to the limit", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", [1, 2, 3]);
    await store.transaction((unit) => unit.putProgress(numbered(3).id, fullProgress()));

    const [first, second, ...rest] = await store.listAgentsInView(2);

    expect(first).toMatchObject({ agent: { id: numbered(3).id }, lastMessage: "進捗" });
    expect(first).toMatchObject({
      openTools: fullProgress().openTools,
      lastTool: fullProgress().lastTool,
    });
    expect(second).toMatchObject({ agent: { id: numbered(2).id }, toolCallCount: 0 });
    expect(rest).toEqual([]);
  });

  test("shrinking the view keeps all agents of active groups and the newest of deleted ones", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", [1, 4, 7]);
    await insertGroup(store, "grp-2", [2, 5, 8]);
    await insertGroup(store, "grp-3", [3, 6, 9]);
    await deleteGroup(store, "grp-1");
    await deleteGroup(store, "grp-3");

    const left = await store.transaction((unit) => unit.shrinkView(3));

    expect(await inView(store)).toEqual([9, 8, 7, 6, 5, 2]);
    expect(left.groups).toEqual([]);
    expect(left.agents).toHaveLength(3);
  });

  test("agents made in the same millisecond leave in the order they were made", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", range(1, 9), NOON);
    await deleteGroup(store, "grp-1");

    await store.transaction((unit) => unit.shrinkView(4));

    expect(await inView(store)).toEqual([9, 8, 7, 6]);
  });

  test("shrinking the view returns a group once when its last agent has left", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", [1, 2]);
    await insertGroup(store, "grp-2", []);
    await insertGroup(store, "grp-3", [3, 4]);
    for (const id of ["grp-1", "grp-2", "grp-3"] as const) await deleteGroup(store, id);
    const shrink = () => store.transaction((unit) => unit.shrinkView(2));

    expect((await shrink()).groups.toSorted()).toEqual(["grp-1", "grp-2"]);
    expect(await shrink()).toEqual({ agents: [], groups: [] });
    expect(await inView(store)).toEqual([4, 3]);
  });

  test("an agent that left the view is in no list, but is found in its group and by its id", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", [1]);
    await deleteGroup(store, "grp-1");

    expect(await store.transaction((unit) => unit.shrinkView(0))).toHaveProperty("groups", [
      "grp-1",
    ]);

    expect(await inView(store)).toEqual([]);
    expect(await store.getAgent(numbered(1).id)).toBeDefined();
    expect(await store.listAgents({ limit: 10, groupId: "grp-1" })).toMatchObject({
      agents: [],
      total: 0,
    });
    expect(await store.listGroupAgents({ limit: 10, groupId: "grp-1" })).toMatchObject({
      agents: [{ agent: { id: numbered(1).id } }],
      total: 1,
    });
    const agent = await store.getAgent(numbered(1).id);
    if (agent) await store.transaction((unit) => unit.updateAgent(agent, agent));
    expect(await inView(store)).toEqual([]);
  });

  test("totals count agents in view, also after leaving the view, a late report and purging", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", [1, 2, 3, 4]);
    await insertGroup(store, "grp-2", [5]);
    await setStatus(store, 1, "failed");
    expect(await totals(store, "grp-1")).toEqual([5, 1, 4, 1, 4]);

    await deleteGroup(store, "grp-1");
    await store.transaction((unit) => unit.shrinkView(2));
    expect(await totals(store, "grp-1")).toEqual([3, 0, 2, 0, 4]);

    await setStatus(store, 2, "failed");
    await setStatus(store, 3, "failed");
    expect(await totals(store, "grp-1")).toEqual([3, 1, 2, 1, 4]);

    await store.transaction((unit) => unit.purgeHistory(NOON + 1_000_000, 10));
    expect(await totals(store, "grp-1")).toEqual([3, 1, 2, 1, 2]);
  });

  test("all agents of a group are listed in pages, in view or not", async () => {
    const store = await aStore();
    await insertGroup(store, "grp-1", range(1, 5));
    await deleteGroup(store, "grp-1");
    await store.transaction((unit) => unit.shrinkView(2));

    const first = await store.listGroupAgents({ groupId: "grp-1", limit: 3 });
    const cursor = first.nextCursor ?? "";
    const second = await store.listGroupAgents({ groupId: "grp-1", limit: 3, cursor });

    const ids = [...first.agents, ...second.agents].map(({ agent }) => agent.id);
    expect(ids).toEqual(
      range(1, 5)
        .toReversed()
        .map((n) => numbered(n).id),
    );
    expect(second.nextCursor).toBeNull();
  });
}

/** Every total is the number of agents that its pages hold, by status too. */
async function totals(store: Store, groupId: GroupId) {
  const [all, failed, ofGroup, failedOfGroup, whole] = await Promise.all([
    store.listAgents({ limit: 100 }),
    store.listAgents({ limit: 100, statuses: ["failed"] }),
    store.listAgents({ limit: 100, groupId }),
    store.listAgents({ limit: 100, groupId, statuses: ["failed"] }),
    store.listGroupAgents({ limit: 100, groupId }),
  ]);
  for (const { agents, total } of [all, failed, ofGroup, failedOfGroup, whole]) {
    expect(agents).toHaveLength(total);
  }
  return [all, failed, ofGroup, failedOfGroup, whole].map(({ total }) => total);
}

async function insertGroup(
  store: Store,
  id: GroupId,
  agents: readonly number[],
  createdAt?: number,
): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup({ id }));
    for (const n of agents) {
      const made = numbered(n, { groupId: id, process: "ended", ...(createdAt && { createdAt }) });
      await unit.insertAgent(made, "");
    }
  });
}

async function setStatus(store: Store, n: number, status: AgentStatus): Promise<void> {
  await store.transaction(async (unit) => {
    const agent = await unit.getAgent(numbered(n).id);
    if (agent) await unit.updateAgent({ ...agent, status, endedAt: NOON }, agent);
  });
}

async function deleteGroup(store: Store, id: GroupId): Promise<void> {
  await store.transaction((unit) =>
    unit.updateGroup(aGroup({ id, status: "deleted", deletedAt: NOON }), aGroup({ id })),
  );
}

async function inView(store: Store): Promise<readonly number[]> {
  const views = await store.listAgentsInView(100);
  return views.map(({ agent }) => Number(agent.id.split("-").at(-1)));
}
