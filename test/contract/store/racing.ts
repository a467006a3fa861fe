import { expect, test } from "vitest";
import { aGroup, anAgent, NOON } from "../../kit/builders.ts";
import { fullAgent, insert, type Open, requireAgent } from "./kit.ts";

export function racing(aStore: Open): void {
  test("inserting an id that exists returns false and changes nothing", async () => {
    const store = await aStore();
    await insert(store, [anAgent()], "the first");

    const taken = await store.transaction(async (unit) => ({
      group: await unit.insertGroup(aGroup({ description: "the second" })),
      agent: await unit.insertAgent(anAgent({ model: "other" }), "the second"),
    }));

    expect(taken).toEqual({ group: false, agent: false });
    expect(await store.getGroup(aGroup().id)).toEqual(aGroup());
    expect(await store.getAgent(anAgent().id)).toEqual(anAgent());
    expect(await store.getPrompt(anAgent().id)).toBe("the first");
    expect((await store.listAgents({ limit: 1 })).total).toBe(1);
  });

  test("inserting an agent of an unknown group is an error, not a duplicate id", async () => {
    const store = await aStore();

    await expect(store.transaction((unit) => unit.insertAgent(anAgent(), ""))).rejects.toThrow(
      /foreign key/i,
    );

    expect(await store.getAgent(anAgent().id)).toBeUndefined();
  });

  test("an update returns the stored row with the next version", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const full = fullAgent();

    const agent = await store.transaction((unit) => unit.updateAgent(full, anAgent()));
    const group = await store.transaction((unit) =>
      unit.updateGroup(aGroup({ status: "deleted", deletedAt: NOON }), aGroup()),
    );

    expect(agent).toEqual({ ...full, version: 2 });
    expect(await store.getAgent(full.id)).toEqual(agent);
    expect(group).toEqual(aGroup({ status: "deleted", deletedAt: NOON, version: 2 }));
    expect(await store.getGroup(group.id)).toEqual(group);
  });

  test("the second of two updates computed from the same row is refused", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const claim = (model: string) =>
      store.transaction((unit) => unit.updateAgent(anAgent({ model }), anAgent()));
    const rename = (description: string) =>
      store.transaction((unit) => unit.updateGroup(aGroup({ description }), aGroup()));

    const agents = await Promise.allSettled([claim("a"), claim("b")]);
    const groups = await Promise.allSettled([rename("a"), rename("b")]);

    for (const outcomes of [agents, groups]) {
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { name: "Refusal", code: "VERSION_CONFLICT" },
      });
    }
    const winner = agents.find((outcome) => outcome.status === "fulfilled");
    expect(await store.getAgent(anAgent().id)).toEqual(winner?.value);
  });

  test("an update of a missing row is refused", async () => {
    const store = await aStore();

    const agent = store.transaction((unit) => unit.updateAgent(anAgent(), anAgent()));
    await expect(agent).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    const group = store.transaction((unit) => unit.updateGroup(aGroup(), aGroup()));
    await expect(group).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  });

  test("thirty concurrent increments lose no update", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const addOne = () =>
      store.transaction(async (unit) => {
        const agent = await requireAgent(unit, anAgent().id);
        await unit.updateAgent({ ...agent, attempt: agent.attempt + 1 }, agent);
      });
    await Promise.all(Array.from({ length: 30 }, addOne));

    expect(await store.getAgent(anAgent().id)).toMatchObject({ attempt: 30, version: 31 });
  });
}
