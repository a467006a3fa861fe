import { expect, test } from "vitest";
import { aGroup } from "../../kit/builders.ts";
import { insert, numbered, type Open } from "./kit.ts";

export function queueing(aStore: Open): void {
  test("waiting agents are ordered by priority, then age, without the excluded ones", async () => {
    const store = await aStore();
    const low = numbered(1, { priority: -1 });
    const old = numbered(2);
    const young = numbered(3);
    const urgent = numbered(4, { priority: 5 });
    const first = numbered(5, { priority: 9 });
    const held = numbered(6, { priority: 9, held: true });
    const gone = numbered(7, { priority: 9, process: "ended", status: "cancelled" });
    const orchestrator = numbered(8, { priority: 9, slot: "orchestrator" });
    const drafter = numbered(9, { priority: 9, slot: "reserved" });
    await insert(store, [low, young, old, urgent, first, held, gone, orchestrator, drafter]);

    const others = await store.listWaitingAgents("worker", 10, [first.id]);
    expect(others).toEqual([urgent, old, young, low]);
    expect(await store.listWaitingAgents("worker", 2, [])).toEqual([first, urgent]);
    expect(await store.listWaitingAgents("worker", null, [])).toEqual([first, ...others]);
    expect(await store.listWaitingAgents("orchestrator", 2, [])).toEqual([orchestrator]);
    expect(await store.listWaitingAgents("reserved", 2, [])).toEqual([drafter]);
  });

  test("waiting agents of paused runners are left out, unless they use a client's key", async () => {
    const store = await aStore();
    const claude = numbered(1, { runner: "claude" });
    const codex = numbered(2, { runner: "codex" });
    const keyed = numbered(3, { runner: "claude", clientKeys: ["ANTHROPIC_API_KEY"] });
    const held = numbered(4, { runner: "claude", held: true });
    const gone = numbered(5, { runner: "claude", process: "ended", status: "failed" });
    await insert(store, [claude, codex, keyed, held, gone]);

    expect(await store.listWaitingAgents("worker", 10, [], ["claude"])).toEqual([codex, keyed]);
    expect(await store.listWaitingAgents("worker", 10, [], ["gemini"])).toHaveLength(3);
    expect(await store.listWaitingOfRunners(["claude"])).toEqual([claude, held]);
  });

  test("a held agent is counted as waiting, and listed once it is released", async () => {
    const store = await aStore();
    const held = numbered(1, { held: true, stageIndex: 1 });
    await insert(store, [held]);

    expect(await store.listWaitingAgents("worker", 10, [])).toEqual([]);
    expect(await store.countByProcess()).toMatchObject({ waiting: 1, live: 0 });

    const free = await store.transaction((unit) =>
      unit.updateAgent({ ...held, held: false }, held),
    );
    expect(await store.listWaitingAgents("worker", 10, [])).toEqual([free]);
  });

  test("agents that have not ended are counted by state and runner, with the oldest of each", async () => {
    const store = await aStore();
    const old = numbered(1, { runner: "claude", createdAt: 1_000 });
    const young = numbered(2, { runner: "claude", createdAt: 2_000 });
    const held = numbered(3, { runner: "claude", held: true });
    const alive = numbered(4, { runner: "codex", process: "alive", status: "running" });
    const ended = numbered(5, { runner: "codex", process: "ended", status: "failed" });
    await insert(store, [young, old, held, alive, ended]);

    const counts = await store.countUnsettledByRunner();
    const claude = { process: "waiting", runner: "claude" } as const;
    expect(counts).toHaveLength(3);
    expect(counts).toContainEqual({ ...claude, held: false, agents: 2, oldestCreatedAt: 1_000 });
    expect(counts).toContainEqual({
      ...claude,
      held: true,
      agents: 1,
      oldestCreatedAt: held.createdAt,
    });
    expect(counts).toContainEqual({
      process: "alive",
      runner: "codex",
      held: false,
      agents: 1,
      oldestCreatedAt: alive.createdAt,
    });
  });

  test("agents that continue a conversation are listed by its runner, oldest first", async () => {
    const store = await aStore();
    const talk = { runner: "codex", resumeSession: "talk" } as const;
    const [first, second] = [numbered(1, { ...talk, process: "ended" }), numbered(2, talk)];
    await insert(store, [
      first,
      second,
      numbered(3, { ...talk, runner: "claude" }),
      numbered(4, { ...talk, resumeSession: "other" }),
      numbered(5),
    ]);

    expect(await store.listAgentsResuming("codex", "talk")).toEqual([first, second]);
  });

  test("living agents are those that are starting or alive", async () => {
    const store = await aStore();
    const starting = numbered(1, { process: "starting" });
    const alive = numbered(2, { process: "alive", status: "running" });
    const orchestrator = numbered(5, { process: "alive", slot: "orchestrator" });
    await insert(store, [starting, alive, numbered(3), numbered(4, { process: "ended" })]);
    const drafters = [6, 7, 8].map((n) => numbered(n, { process: "alive", slot: "reserved" }));
    await insert(store, [orchestrator, ...drafters]);

    expect(await store.listLiveAgents()).toEqual([starting, alive, orchestrator, ...drafters]);
    const counts = { waiting: 1, live: 2, liveOrchestrators: 1, liveReserved: 3 };
    expect(await store.countByProcess()).toEqual(counts);
    const { waiting: _waiting, ...live } = counts;
    expect(await store.countLive()).toEqual(live);
  });

  test("labels in use are those of living agents, one list per agent", async () => {
    const store = await aStore();
    const labels = ["gpu"];
    await insert(store, [
      numbered(1, { process: "alive", status: "running", labels: ["gpu", "repo:app"] }),
      numbered(2, { process: "starting", labels }),
      numbered(3, { process: "starting" }),
      numbered(4, { labels }),
      numbered(5, { process: "ended", labels }),
    ]);

    const inUse = await store.listLabelsInUse();

    expect(inUse.toSorted((a, b) => a.length - b.length)).toEqual([["gpu"], ["gpu", "repo:app"]]);
  });

  test("an empty store has no waiting and no living agents", async () => {
    const store = await aStore();

    expect(await store.listWaitingAgents("worker", 10, [])).toEqual([]);
    expect(await store.listLiveAgents()).toEqual([]);
    const counts = { waiting: 0, live: 0, liveOrchestrators: 0, liveReserved: 0 };
    expect(await store.countByProcess()).toEqual(counts);
  });

  test("a group counts its agents that are not settled", async () => {
    const store = await aStore();
    await store.transaction((unit) => unit.insertGroup(aGroup({ id: "grp-2-other" })));
    const last = numbered(3, { process: "alive", status: "running" });
    await insert(store, [
      numbered(1),
      numbered(2, { process: "ended" }),
      last,
      numbered(4, { groupId: "grp-2-other" }),
    ]);

    expect(await store.countUnsettled(aGroup().id)).toBe(2);
    await store.transaction((unit) => unit.updateAgent({ ...last, process: "ended" }, last));
    expect(await store.countUnsettled(aGroup().id)).toBe(1);
  });

  test("a token finds its agent only while the process has not ended", async () => {
    const store = await aStore();
    const agent = numbered(1, { process: "alive", tokenHash: "hash-1" });
    await insert(store, [agent, numbered(2)]);

    expect(await store.findAgentByTokenHash("hash-1")).toEqual(agent);
    expect(await store.findAgentByTokenHash("hash-2")).toBeUndefined();
    await store.transaction((unit) => unit.updateAgent({ ...agent, process: "ended" }, agent));
    expect(await store.findAgentByTokenHash("hash-1")).toBeUndefined();
  });
}
