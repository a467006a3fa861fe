import { expect, test } from "vitest";
import type { PendingEnd } from "../../../src/app/ports/workspace-store.ts";
import type { AgentId } from "../../../src/domain/ids.ts";
import { aGroup, aWorkspace, NOON } from "../../kit/builders.ts";
import { fullProgress, insert, numbered, type Open, range } from "./kit.ts";

const TREE = "/仕事/repo";

export function capturing(aStore: Open): void {
  test("an agent that is capturing is not settled, has no live process and takes no slot", async () => {
    const store = await aStore();
    const agent = numbered(1, { process: "capturing", status: "running", taskId: "task-1" });
    await insert(store, [agent]);

    expect(await store.countUnsettled(aGroup().id)).toBe(1);
    expect(await store.listUnsettledAgents(aGroup().id)).toEqual([agent]);
    expect(await store.listUnsettledTaskAgents("task-1")).toEqual([agent]);
    expect(await store.listLiveAgents()).toEqual([]);
    expect(await store.listWaitingAgents("worker", null, [])).toEqual([]);
    const none = { live: 0, liveOrchestrators: 0, liveReserved: 0 };
    expect(await store.countLive()).toEqual(none);
    expect(await store.countByProcess()).toEqual({ ...none, waiting: 0 });
    expect((await store.listHistory({ limit: 10 })).entries).toEqual([]);
    expect(await store.listAgents({ limit: 10, statuses: ["running"] })).toMatchObject({
      agents: [{ agent }],
      total: 1,
    });
  });

  test("the token of an agent is dead as soon as it is capturing", async () => {
    const store = await aStore();
    const alive = numbered(1, { process: "alive", status: "running", tokenHash: "hash" });
    await insert(store, [alive]);
    expect(await store.findAgentByTokenHash("hash")).toEqual(alive);

    await store.transaction(async (unit) => {
      await unit.updateAgent({ ...alive, process: "capturing" }, alive);
      expect(await unit.findAgentByTokenHash("hash")).toBeUndefined();
    });

    expect(await store.findAgentByTokenHash("hash")).toBeUndefined();
  });

  test("an agent that is capturing stays in view and is not purged", async () => {
    const store = await aStore();
    const group = aGroup({ id: "grp-old", status: "deleted", deletedAt: NOON });
    const agent = numbered(1, { groupId: group.id, process: "capturing", status: "running" });
    await store.transaction(async (unit) => {
      await unit.insertGroup(group);
      await unit.insertAgent(agent, "");
    });

    const left = await store.transaction((unit) => unit.shrinkView(0));
    const purged = await store.transaction((unit) => unit.purgeHistory(NOON + 1_000, 100));

    expect([left.agents, purged]).toEqual([[], []]);
    expect(await store.getAgent(agent.id)).toEqual(agent);
  });

  test("writers of a working tree may write and are not settled", async () => {
    const store = await aStore();
    await insert(store, [
      numbered(1, { tree: TREE, process: "waiting" }),
      numbered(2, { tree: TREE, process: "starting" }),
      numbered(3, { tree: TREE, process: "alive" }),
      numbered(4, { tree: TREE, process: "capturing" }),
      numbered(5, { tree: TREE, process: "ended" }),
      numbered(6, { tree: TREE, process: "alive", access: "read-only" }),
      numbered(7, { tree: `${TREE}/inner`, process: "alive" }),
      numbered(8, { tree: null, process: "alive" }),
    ]);

    expect(await store.listWritersIn(TREE)).toEqual(range(1, 4).map((n) => numbered(n).id));
    expect(await store.listWritersIn("/elsewhere")).toEqual([]);
  });

  test("how a process ended is kept until its change is captured", async () => {
    const store = await aStore();
    const [first, second] = [anEnd(numbered(2).id), anEnd(numbered(1).id, { filesLost: true })];
    await insert(store, [numbered(1), numbered(2)]);
    await store.transaction(async (unit) => {
      await unit.putPendingEnd(first.agentId, first);
      await unit.putPendingEnd(second.agentId, second);
    });

    expect(await store.listCapturing()).toEqual(
      [first, second].map((end) => ({ agentId: end.agentId, end })),
    );

    // The supervisor may observe the same end again.
    const again = { ...first, stderrTail: "再び" };
    await store.transaction(async (unit) => {
      await unit.putPendingEnd(first.agentId, again);
      await unit.deletePendingEnd(second.agentId);
    });
    expect(await store.listCapturing()).toEqual([{ agentId: first.agentId, end: again }]);
  });

  test("agents of a workspace are purged only after its row is deleted", async () => {
    const store = await aStore();
    const group = aGroup({ id: "grp-old", status: "deleted", deletedAt: NOON });
    const ended = { groupId: group.id, process: "ended", status: "completed" } as const;
    const agents = [1, 2].map((n) =>
      numbered(n, { ...ended, endedAt: NOON, workspaceId: "wsp-01" }),
    );
    await store.transaction(async (unit) => {
      await unit.insertGroup(group);
      await unit.insertWorkspace(aWorkspace({ status: "retired", outcome: "merged" }));
      for (const agent of agents) await unit.insertAgent(agent, "");
      await unit.shrinkView(0);
    });
    const purge = () => store.transaction((unit) => unit.purgeHistory(NOON + 1_000, 100));

    expect(await purge()).toEqual([]);
    expect(await store.getGroup(group.id)).toEqual(group);
    await store.transaction((unit) => unit.deleteWorkspace("wsp-01"));
    expect(await purge()).toEqual(agents.map(({ id }) => id));
    expect(await store.getGroup(group.id)).toBeUndefined();
  });
}

function anEnd(agentId: AgentId, over: Partial<PendingEnd> = {}): PendingEnd {
  return {
    type: "ended",
    agentId,
    attempt: 2,
    progress: fullProgress(),
    exitCode: null,
    stderrTail: "'; --\n",
    survivors: ["pid 12"],
    ...over,
  };
}
