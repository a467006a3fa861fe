import { expect, test } from "vitest";
import type { HistoryQuery, Store } from "../../../src/app/ports/store.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import { aGroup, NOON } from "../../kit/builders.ts";
import { aResult, insert, numbered, type Open, range } from "./kit.ts";

export function history(aStore: Open): void {
  test("the history lists settled agents with their results, the last ended first", async () => {
    const store = await aStore();
    await insertSettled(store, [settled(1, 30), settled(2, 10), settled(3, 20)]);
    await insert(store, [numbered(4), numbered(5, { process: "alive" })]);

    const { entries, nextCursor } = await store.listHistory({ limit: 10 });

    expect(entries).toEqual(
      [settled(1, 30), settled(3, 20), settled(2, 10)].map((agent) => ({
        agent,
        result: aResult({ agentId: agent.id }),
      })),
    );
    expect(nextCursor).toBeNull();
  });

  test.each([
    ["one after the other", (n: number) => n],
    ["in the same millisecond", () => 1],
  ])("60 agents that ended %s are paged without gap or double while more end", async (_, at) => {
    const store = await aStore();
    await insertSettled(
      store,
      range(1, 60).map((n) => settled(n, at(n))),
    );

    const seen: number[] = [];
    let cursor: string | null = null;
    let newcomer = 60;
    do {
      const page = await store.listHistory({ limit: 7, ...(cursor !== null && { cursor }) });
      seen.push(...page.entries.map(({ agent }) => numberOf(agent)));
      cursor = page.nextCursor;
      newcomer += 1;
      await insertSettled(store, [settled(newcomer, at(newcomer))]);
    } while (cursor !== null);

    expect(seen).toEqual(range(1, 60).toReversed());
  });

  test.each([
    ["one after the other", (n: number) => n],
    ["in the same millisecond", () => 1],
  ])("60 agents that ended %s are paged the first ended first", async (_, at) => {
    const store = await aStore();
    await insertSettled(
      store,
      range(1, 60).map((n) => settled(n, at(n))),
    );

    const ids = await idsOf(store, { limit: 7, order: "asc" });

    expect(ids).toEqual(range(1, 60).map((n) => settled(n, 0).id));
  });

  test("filters of a list combine, also across pages", async () => {
    const store = await aStore();
    const other = aGroup({ id: "grp-2-other" });
    await store.transaction((unit) => unit.insertGroup(other));
    const all = range(0, 47).map((n) =>
      settled(n, n, {
        groupId: n % 2 ? other.id : aGroup().id,
        runner: n % 5 < 2 ? "cursor" : "rehearsal",
        role: n % 3 ? "code-review" : "impl-code",
        status: n % 4 ? "completed" : "failed",
      }),
    );
    await insertSettled(store, all);
    const filters = {
      groupId: [aGroup().id, (agent: Agent) => agent.groupId === aGroup().id],
      role: ["impl-code", (agent: Agent) => agent.role === "impl-code"],
      runner: ["cursor", (agent: Agent) => agent.runner === "cursor"],
      status: ["failed", (agent: Agent) => agent.status === "failed"],
      from: [NOON + 10, (agent: Agent) => (agent.endedAt ?? 0) >= NOON + 10],
      until: [NOON + 40, (agent: Agent) => (agent.endedAt ?? 0) < NOON + 40],
    } as const;

    for (const chosen of subsetsOf(Object.entries(filters))) {
      const query = Object.fromEntries(chosen.map(([name, [value]]) => [name, value]));
      const expected = all.filter((agent) => chosen.every(([, [, fits]]) => fits(agent)));
      const ids = expected.map(({ id }) => id);
      expect(await idsOf(store, { ...query, limit: 5 })).toEqual(ids.toReversed());
      expect(await idsOf(store, { ...query, limit: 5, order: "asc" })).toEqual(ids);
    }
  });

  test("filters that match nothing return an empty page, and an invalid cursor is refused", async () => {
    const store = await aStore();
    await insertSettled(store, [settled(1, 1)]);

    expect((await store.listHistory({ limit: 5, groupId: "no-such-group" })).entries).toEqual([]);
    expect((await store.listHistory({ limit: 5, role: "'; drop" })).entries).toEqual([]);
    expect((await store.listHistory({ limit: 5, runner: "nobody" })).entries).toEqual([]);
    const page = store.listHistory({ limit: 1, cursor: "x" });
    await expect(page).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });
}

function settled(n: number, endedAfter: number, over: Partial<Agent> = {}): Agent {
  const endedAt = NOON + endedAfter;
  return numbered(n, { process: "ended", status: "completed", endedAt, ...over });
}

async function insertSettled(store: Store, agents: readonly Agent[]): Promise<void> {
  await insert(store, agents);
  await store.transaction(async (unit) => {
    for (const { id } of agents) await unit.putResult(id, aResult({ agentId: id }));
  });
}

async function idsOf(store: Store, query: HistoryQuery): Promise<readonly string[]> {
  const page = await store.listHistory(query);
  const ids = page.entries.map(({ agent }) => agent.id);
  if (page.nextCursor === null) return ids;
  return [...ids, ...(await idsOf(store, { ...query, cursor: page.nextCursor }))];
}

function numberOf(agent: Agent): number {
  return Number(agent.id.split("-").at(-1));
}

function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.reduce<readonly (readonly T[])[]>(
    (sets, item) => [...sets, ...sets.map((set) => [...set, item])],
    [[]],
  );
}
