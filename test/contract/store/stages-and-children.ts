import { expect, test } from "vitest";
import { aGroup, NOON } from "../../kit/builders.ts";
import { insert, numbered, type Open } from "./kit.ts";

export function stagesAndChildren(aStore: Open): void {
  test("agents of a stage are listed in the order they were requested, settled or not", async () => {
    const store = await aStore();
    const other = aGroup({ id: "grp-2-other" });
    await store.transaction((unit) => unit.insertGroup(other));
    const first = numbered(9, { stageIndex: 0, process: "ended" });
    const second = numbered(1, { stageIndex: 0, createdAt: NOON - 5 });
    const next = numbered(2, { stageIndex: 1, held: true });
    const theirs = numbered(3, { stageIndex: 0, groupId: other.id });
    await insert(store, [first, second, next, theirs, numbered(4)]);

    expect(await store.listStageAgents(aGroup().id, 0)).toEqual([first, second]);
    expect(await store.listStageAgents(aGroup().id, 1)).toEqual([next]);
    expect(await store.listStageAgents(aGroup().id, 2)).toEqual([]);
  });

  test("unsettled agents of a group are the waiting (held or not) and the living ones", async () => {
    const store = await aStore();
    const other = aGroup({ id: "grp-2-other" });
    await store.transaction((unit) => unit.insertGroup(other));
    const mine = [
      numbered(1),
      numbered(2, { held: true }),
      numbered(3, { process: "starting" }),
      numbered(4, { process: "alive", status: "resultReported" }),
    ];
    await insert(store, [...mine, numbered(5, { process: "ended" })]);
    await insert(store, [numbered(6, { groupId: other.id })]);

    expect(await store.listUnsettledAgents(aGroup().id)).toEqual(mine);
  });

  test("children of a group are listed oldest first, including deleted ones", async () => {
    const store = await aStore();
    const parent = aGroup();
    const children = ["grp-9", "grp-1", "grp-5"].map((id) => aGroup({ id: `grp-${id}` }));
    const [a, b, c] = children.map((child) => ({ ...child, parentGroupId: parent.id }));
    const grandchild = aGroup({ id: "grp-grandchild", parentGroupId: children[0]?.id ?? null });
    const families = [parent, a, b, c, grandchild].flatMap((group) => group ?? []);
    await store.transaction(async (unit) => {
      for (const group of families) await unit.insertGroup(group);
    });

    expect(await store.listChildGroups(parent.id)).toEqual([a, b, c]);
    expect(await store.listChildGroups("grp-grandchild")).toEqual([]);
  });

  test("a sequential plan is unfinished until its last stage is over or its group is deleted", async () => {
    const store = await aStore();
    const stages = { total: 2, current: 0, onFailure: "continue" } as const;
    const [plan, other, none] = [
      aGroup({ id: "grp-1-plan", mode: "sequential", stages }),
      aGroup({ id: "grp-2-other", mode: "sequential", stages }),
      aGroup({ id: "grp-3-none" }),
    ];
    await store.transaction(async (unit) => {
      for (const group of [plan, other, none]) await unit.insertGroup(group);
    });
    expect(await store.listUnfinishedPlans()).toEqual([plan, other]);

    await store.transaction(async (unit) => {
      await unit.updateGroup({ ...plan, stages: { ...stages, current: 2 } }, plan);
      await unit.updateGroup({ ...other, status: "deleted" }, other);
    });

    expect(await store.listUnfinishedPlans()).toEqual([]);
  });
}
