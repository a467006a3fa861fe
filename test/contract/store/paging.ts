import { expect, test } from "vitest";
import { AGENT_STATUSES, type AgentStatus } from "../../../src/domain/agents/agent.ts";
import { aGroup, NOON } from "../../kit/builders.ts";
import { fullProgress, insert, numbered, type Open, range } from "./kit.ts";

export function paging(aStore: Open): void {
  test("agents are listed newest first, with their progress", async () => {
    const store = await aStore();
    await insert(store, [numbered(1), numbered(2)]);
    await store.transaction((unit) => unit.putProgress(numbered(2).id, fullProgress()));

    expect(await store.listAgents({ limit: 10 })).toEqual({
      agents: [
        {
          agent: numbered(2),
          toolCallCount: 7,
          lastMessage: "進捗",
          usage: fullProgress().usage,
          reportedModel: fullProgress().reportedModel,
          costUsd: fullProgress().costUsd,
          promptSentAt: fullProgress().promptSentAt,
          openTools: fullProgress().openTools,
          lastTool: fullProgress().lastTool,
        },
        {
          agent: numbered(1),
          toolCallCount: 0,
          lastMessage: "",
          usage: null,
          reportedModel: null,
          costUsd: null,
          promptSentAt: null,
          openTools: [],
          lastTool: null,
        },
      ],
      total: 2,
      nextCursor: null,
    });
  });

  test.each([
    ["made one after the other", (n: number) => numbered(n)],
    ["made in the same millisecond", (n: number) => numbered(n, { createdAt: NOON })],
  ])("250 agents %s are paged without gap or double while more come", async (_, make) => {
    const store = await aStore();
    const agents = range(1, 250).map(make);
    await insert(store, agents);

    const seen: string[] = [];
    let cursor: string | null = null;
    let newcomer = 250;
    do {
      const page = await store.listAgents({ limit: 20, ...(cursor !== null && { cursor }) });
      seen.push(...page.agents.map(({ agent }) => agent.id));
      expect(page.total).toBe(newcomer);
      cursor = page.nextCursor;
      newcomer += 1;
      await insert(store, [make(newcomer)]);
    } while (cursor !== null);

    expect(seen).toEqual(agents.map(({ id }) => id).toReversed());
  });

  test("the page with the last agent has no next cursor", async () => {
    const store = await aStore();
    await insert(store, [numbered(1), numbered(2)]);

    expect((await store.listAgents({ limit: 2 })).nextCursor).toBeNull();
    expect((await store.listAgents({ limit: 1 })).nextCursor).not.toBeNull();
  });

  test("the total of a list follows every filter and every change of status", async () => {
    const store = await aStore();
    const other = aGroup({ id: "grp-2-other" });
    await store.transaction((unit) => unit.insertGroup(other));
    const mine = AGENT_STATUSES.map((status, n) => numbered(n, { status, process: "ended" }));
    const theirs = numbered(99, { groupId: other.id });
    await insert(store, [...mine, theirs]);
    const total = async (groupId?: string, statuses?: readonly AgentStatus[]) => {
      const filter = { ...(groupId && { groupId }), ...(statuses && { statuses }) };
      const page = await store.listAgents({ limit: 100, ...filter });
      expect(page.agents).toHaveLength(page.total);
      return page.total;
    };

    expect(await total()).toBe(9);
    expect(await total(aGroup().id)).toBe(8);
    expect(await total(other.id)).toBe(1);
    expect(await total("no-such-group")).toBe(0);
    expect(await total("*")).toBe(0);
    expect(await total(undefined, ["queued"])).toBe(2);
    expect(await total(undefined, ["failed", "timedOut", "lost"])).toBe(3);
    expect(await total(other.id, ["queued", "running"])).toBe(1);
    expect(await total(undefined, [])).toBe(0);

    await store.transaction((unit) => unit.updateAgent({ ...theirs, status: "running" }, theirs));

    expect(await total(other.id, ["queued"])).toBe(0);
    expect(await total(other.id, ["running"])).toBe(1);
    expect(await total(undefined, ["queued", "running"])).toBe(3);
    expect(await total()).toBe(9);
  });

  test("pages of several statuses are merged newest first", async () => {
    const store = await aStore();
    const agents = range(1, 30).map((n) =>
      numbered(n, { status: AGENT_STATUSES[n % 3] ?? "queued", createdAt: NOON + (n % 7) }),
    );
    await insert(store, agents);

    const first = await store.listAgents({ limit: 11, statuses: ["running", "queued", "queued"] });
    const second = await store.listAgents({
      limit: 11,
      statuses: ["running", "queued"],
      cursor: first.nextCursor ?? "",
    });

    const expected = agents
      .filter(({ status }) => status === "running" || status === "queued")
      .map((agent, place) => ({ agent, place }))
      .sort((a, b) => b.agent.createdAt - a.agent.createdAt || b.place - a.place)
      .map(({ agent }) => agent);
    const got = [...first.agents, ...second.agents].map(({ agent }) => agent);
    expect(got).toEqual(expected);
    expect(second.nextCursor).toBeNull();
  });

  test.each(["", "x", "null", "MTI", "!!!", "e30", "LTE6LTE", "9".repeat(5_000)])(
    "an invalid cursor is refused: %s",
    async (cursor) => {
      const store = await aStore();

      const page = store.listAgents({ limit: 1, cursor });

      await expect(page).rejects.toMatchObject({ name: "Refusal", code: "INVALID_CURSOR" });
    },
  );

  test("paging inside a transaction works like paging the store", async () => {
    const store = await aStore();
    await insert(store, [numbered(1), numbered(2)]);

    const page = await store.transaction((unit) => unit.listAgents({ limit: 1 }));

    expect(page).toMatchObject({ agents: [{ agent: numbered(2) }], total: 2 });
  });
}
