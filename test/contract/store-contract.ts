import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RecordedEvent, Store } from "../../src/app/ports/store.ts";
import { AGENT_STATUSES, type Agent, type AgentStatus } from "../../src/domain/agents/agent.ts";
import { NO_PROGRESS } from "../../src/domain/agents/progress.ts";
import { NO_LEDGER } from "../../src/domain/groups/ledger.ts";
import { aGroup, anAgent, NOON } from "../kit/builders.ts";
import { agentCalls } from "./store/agent-calls.ts";
import { approvals } from "./store/approvals.ts";
import { atOnce } from "./store/at-once.ts";
import { audit } from "./store/audit.ts";
import { draftsAndExecutions } from "./store/drafts-and-executions.ts";
import { healthAndModels } from "./store/health-and-models.ts";
import { history } from "./store/history.ts";
import { idempotencyKeys } from "./store/idempotency-keys.ts";
import {
  anEvent,
  append,
  aReport,
  aResult,
  fullProgress,
  insert,
  numbered,
  type Open,
  range,
  requireAgent,
} from "./store/kit.ts";
import { listedGroups } from "./store/listed-groups.ts";
import { notifications } from "./store/notifications.ts";
import { pinsAndSignIns } from "./store/pins-and-sign-ins.ts";
import { publishing } from "./store/publishing.ts";
import { purging } from "./store/purging.ts";
import { readingAgain } from "./store/reading-again.ts";
import { stagesAndChildren } from "./store/stages-and-children.ts";
import { taskPurging } from "./store/task-purging.ts";
import { tasks } from "./store/tasks.ts";
import { toolCalls } from "./store/tool-calls.ts";
import { usage } from "./store/usage.ts";
import { view } from "./store/view.ts";

/** The contract of every store. `open` returns an empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  const aStore = async (): Promise<Store> => {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  };

  describe(`${name} stores and returns rows unchanged`, () => {
    keeping(aStore);
  });
  describe(`${name} commits together or not at all`, () => {
    committing(aStore);
  });
  describe(`${name} never returns stale rows`, () => {
    readingAgain(aStore);
  });
  describe(`${name} detects concurrent updates`, () => {
    racing(aStore);
  });
  describe(`${name} lists agents in pages`, () => {
    paging(aStore);
  });
  describe(`${name} lists waiting and living agents`, () => {
    queueing(aStore);
  });
  describe(`${name} lists the agents of stages and the children of groups`, () => {
    stagesAndChildren(aStore);
  });
  describe(`${name} lists groups in pages`, () => {
    listedGroups(aStore);
  });
  describe(`${name} limits which agents are in view`, () => {
    view(aStore);
  });
  describe(`${name} lists the history of agents`, () => {
    history(aStore);
  });
  describe(`${name} purges old agents and events`, () => {
    purging(aStore);
  });
  describe(`${name} adds up tokens`, () => {
    usage(aStore);
  });
  describe(`${name} keeps notifications`, () => {
    notifications(aStore);
  });
  describe(`${name} keeps health and models`, () => {
    healthAndModels(aStore);
  });
  describe(`${name} keeps tasks`, () => {
    tasks(aStore);
  });
  describe(`${name} keeps drafts and executions`, () => {
    draftsAndExecutions(aStore);
  });
  describe(`${name} keeps approvals`, () => {
    approvals(aStore);
  });
  describe(`${name} keeps tool calls`, () => {
    toolCalls(aStore);
    agentCalls(aStore);
  });
  describe(`${name} chains audit entries by hash`, () => {
    audit(aStore);
  });
  describe(`${name} keeps pins and sign-ins`, () => {
    pinsAndSignIns(aStore);
    idempotencyKeys(aStore);
  });
  describe(`${name} purges old tasks`, () => {
    taskPurging(aStore);
  });
  describe(`${name} runs many transactions at once`, () => {
    atOnce(aStore);
    publishing(aStore);
  });
  describe(`${name} keeps events in order`, () => {
    recording(aStore);
  });
}

function keeping(aStore: Open): void {
  test("a group comes back with every field", async () => {
    const store = await aStore();
    const parent = aGroup({ id: "grp-1-parent" });
    const group = aGroup({
      mode: "magentic",
      status: "deleted",
      parentGroupId: parent.id,
      orchestratorAgentId: "magentic-1-aaaa",
      stages: { total: 3, current: 1, onFailure: "stop" },
      magentic: {
        maxIterations: 10,
        availableRoles: ["impl-code", "職種"],
        iterations: 2,
        stalls: 1,
        ledgerAt: 2,
        fingerprint: "f00d",
        lastAgents: ["impl-code-1-aaaa"],
        ledger: NO_LEDGER,
      },
      deletedAt: NOON + 1,
    });

    await store.transaction(async (unit) => {
      expect(await unit.insertGroup(parent)).toBe(true);
      expect(await unit.insertGroup(group)).toBe(true);
    });

    expect(await store.getGroup(group.id)).toEqual(group);
    expect(await store.getGroup("no-such-group")).toBeUndefined();
  });

  test("an agent comes back with every field, and its prompt apart", async () => {
    const store = await aStore();
    const agent = fullAgent();

    await insert(store, [agent], "Say hello.");

    expect(await store.getAgent(agent.id)).toEqual(agent);
    expect(await store.getPrompt(agent.id)).toBe("Say hello.");
    expect(await store.getAgent("nobody")).toBeUndefined();
  });

  test("an agent with nothing optional comes back with nulls", async () => {
    const store = await aStore();

    await insert(store, [anAgent()]);

    expect(await store.getAgent(anAgent().id)).toEqual(anAgent());
  });

  test("asking for the prompt of an unknown agent is refused", async () => {
    const store = await aStore();

    await expect(store.getPrompt("no-1-body")).rejects.toMatchObject({ code: "AGENT_NOT_FOUND" });
  });

  test("agents are returned in the requested order, once each, and unknown ids are left out", async () => {
    const store = await aStore();
    const [a, b, c] = [numbered(1), numbered(2), numbered(3)];
    await insert(store, [a, b, c]);

    const got = await store.getAgents([c.id, "no-1-body", a.id, c.id]);

    expect(got).toEqual([c, a]);
    expect(await store.getAgents([])).toEqual([]);
  });

  test("the progress of an agent is empty at first, then the last one stored", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const { id } = anAgent();

    expect(await store.getProgress(id)).toEqual(NO_PROGRESS);

    await store.transaction((unit) => unit.putProgress(id, { ...NO_PROGRESS, lines: 1 }));
    await store.transaction((unit) => unit.putProgress(id, fullProgress()));

    expect(await store.getProgress(id)).toEqual(fullProgress());
  });

  test("an agent has one report and one result, each the last one stored", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);
    const { id } = anAgent();

    expect(await store.getReport(id)).toBeUndefined();
    expect(await store.getResult(id)).toBeUndefined();

    await store.transaction((unit) => unit.putReport(id, aReport({ summary: "first" })));
    expect(await store.getResult(id)).toBeUndefined();
    await store.transaction((unit) => unit.putResult(id, aResult()));
    await store.transaction((unit) => unit.putReport(id, aReport()));

    expect(await store.getReport(id)).toEqual(aReport());
    expect(await store.getResult(id)).toEqual(aResult());
  });

  test.each([
    ["Japanese", "黒魔術で認証機能を実装する。"],
    ["emoji of several code points", "👩‍👩‍👧‍👦🏴‍☠️ 👍🏽"],
    ["quotes and statements", `'; drop table agents; -- "\\ %s $1 ?`],
    ["null bytes and control characters", "before\u0000after\u0001\r\n\t\u007f"],
    ["nothing", ""],
    ["two megabytes", "語".repeat(700_000)],
  ])("text comes back as it was: %s", async (_, text) => {
    const store = await aStore();
    const agent = anAgent({ workingDirectory: text, model: text });

    await insert(store, [agent], text);
    await store.transaction(async (unit) => {
      await unit.putProgress(agent.id, { ...NO_PROGRESS, lastMessage: text, editedFiles: [text] });
      await unit.putReport(agent.id, aReport({ response: text }));
      await unit.emit(anEvent({ summary: text }));
    });

    expect(await store.getPrompt(agent.id)).toBe(text);
    expect(await store.getAgent(agent.id)).toEqual(agent);
    const progress = await store.getProgress(agent.id);
    expect(progress).toMatchObject({ lastMessage: text, editedFiles: [text] });
    expect(await store.getReport(agent.id)).toMatchObject({ response: text });
    expect(await store.listEvents(0, 1)).toMatchObject([{ data: { summary: text } }]);
  });
}

function committing(aStore: Open): void {
  test("a transaction returns the result of its work", async () => {
    const store = await aStore();

    expect(await store.transaction(async () => 42)).toBe(42);
  });

  test("a transaction whose work throws is rolled back", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      await unit.insertAgent(anAgent(), "prompt");
      await unit.putProgress(anAgent().id, fullProgress());
      await unit.putReport(anAgent().id, aReport());
      await unit.putResult(anAgent().id, aResult());
      await unit.emit(anEvent());
      throw new Error("power cut");
    });

    await expect(attempt).rejects.toThrow("power cut");
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
    expect(await store.getAgent(anAgent().id)).toBeUndefined();
    expect(await store.getProgress(anAgent().id)).toEqual(NO_PROGRESS);
    expect(await store.getReport(anAgent().id)).toBeUndefined();
    expect(await store.getResult(anAgent().id)).toBeUndefined();
    expect(await store.listAgents({ limit: 10 })).toMatchObject({ agents: [], total: 0 });
    expect(await store.lastEventSeq()).toBe(0);
  });

  test("an error thrown inside a transaction reaches the caller unchanged", async () => {
    const store = await aStore();
    const error = Object.assign(new Error("no such file"), { code: "ENOENT" });

    await expect(store.transaction(() => Promise.reject(error))).rejects.toBe(error);
  });

  test("a change that is rolled back leaves the row as it was", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const attempt = store.transaction(async (unit) => {
      await unit.updateAgent(anAgent({ status: "cancelled", process: "ended" }), anAgent());
      throw new Error("no");
    });

    await expect(attempt).rejects.toThrow("no");
    expect(await store.getAgent(anAgent().id)).toEqual(anAgent());
    expect((await store.listAgents({ limit: 1, statuses: ["queued"] })).total).toBe(1);
  });

  test("a transaction sees its own writes; other readers see them only after the commit", async () => {
    const store = await aStore();
    const { promise: written, resolve: tellWritten } = Promise.withResolvers<void>();
    const { promise: go, resolve: letGo } = Promise.withResolvers<void>();

    const writing = store.transaction(async (unit) => {
      await unit.insertGroup(aGroup());
      expect(await unit.getGroup(aGroup().id)).toEqual(aGroup());
      tellWritten();
      await go;
      throw new Error("never mind");
    });
    await written;
    const reading = store.getGroup(aGroup().id);
    letGo();

    await expect(writing).rejects.toThrow("never mind");
    expect(await reading).toBeUndefined();
  });

  test("the store used inside its own transaction throws at once", async () => {
    const store = await aStore();

    const nested = store.transaction(() => store.transaction(async () => "in"));
    await expect(nested).rejects.toThrow("inside its own transaction");
    const read = store.transaction(() => store.getAgent("x"));
    await expect(read).rejects.toThrow("inside its own transaction");
    const closing = store.transaction(() => store.close());
    await expect(closing).rejects.toThrow("inside its own transaction");

    expect(await store.transaction(async () => "still works")).toBe("still works");
  });

  test("a callback started in a transaction may use the store after the transaction has ended", async () => {
    const store = await aStore();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();

    const later = await store.transaction(async () => ({
      promise: ended.then(() => store.lastEventSeq()),
    }));
    end();

    expect(await later.promise).toBe(0);
  });

  test("two open stores do not affect each other", async () => {
    const [one, other] = [await aStore(), await aStore()];

    await one.transaction(() => other.transaction((unit) => unit.insertGroup(aGroup())));

    expect(await one.getGroup(aGroup().id)).toBeUndefined();
    expect(await other.getGroup(aGroup().id)).toEqual(aGroup());
  });

  test("a unit of work is unusable after its transaction has ended", async () => {
    const store = await aStore();
    const kept = await store.transaction(async (unit) => ({ unit }));

    await expect(kept.unit.insertGroup(aGroup())).rejects.toThrow("has ended");

    expect(await store.getGroup(aGroup().id)).toBeUndefined();
  });

  test("a write that is not awaited fails the whole transaction", async () => {
    const store = await aStore();

    const careless = store.transaction(async (unit) => {
      void unit.insertGroup(aGroup());
    });

    await expect(careless).rejects.toThrow("not awaited");
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
  });

  test("when one write fails, writes that are still pending are rolled back too", async () => {
    const store = await aStore();

    for (const moment of range(0, 20)) {
      const attempt = store.transaction((unit) =>
        Promise.all([failAfter(moment), ...range(1, 50).map(() => unit.emit(anEvent()))]),
      );
      await expect(attempt).rejects.toThrow("failed");
    }

    await append(store, [anEvent({ summary: "the only one" })]);
    expect(await store.listEvents(0, 10)).toMatchObject([{ data: { summary: "the only one" } }]);
  });

  test("a failed query fails the transaction, even if its error is caught", async () => {
    const store = await aStore();

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent());
      await unit.insertAgent(anAgent(), "of no group").catch(() => "never mind");
      await unit.insertGroup(aGroup()).catch(() => "never mind");
    });

    await expect(attempt).rejects.toThrow(/foreign key/i);
    expect(await store.getGroup(aGroup().id)).toBeUndefined();
    expect(await store.lastEventSeq()).toBe(0);
  });

  test("a refusal inside a transaction may be caught, and the transaction continues", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    await store.transaction(async (unit) => {
      await unit.updateAgent(anAgent(), anAgent({ version: 7 })).catch(() => "lost the race");
      await unit.emit(anEvent());
    });

    expect(await store.listEvents(0, 10)).toHaveLength(1);
  });

  test("using a closed store throws; closing it twice is harmless", async () => {
    const store = await aStore();
    const last = store.transaction((unit) => unit.insertGroup(aGroup()));

    await store.close();
    await store.close();

    expect(await last).toBe(true);
    await expect(store.getGroup(aGroup().id)).rejects.toThrow("closed");
    await expect(store.transaction(async () => 1)).rejects.toThrow("closed");
  });
}

function racing(aStore: Open): void {
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

  test("of two updates computed from the same row, the second is refused", async () => {
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

function paging(aStore: Open): void {
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
          promptSentAt: fullProgress().promptSentAt,
          openTools: fullProgress().openTools,
          lastTool: fullProgress().lastTool,
        },
        {
          agent: numbered(1),
          toolCallCount: 0,
          lastMessage: "",
          usage: null,
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

function queueing(aStore: Open): void {
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

function recording(aStore: Open): void {
  test("an event is numbered and comes back with every field", async () => {
    const store = await aStore();
    const first = anEvent({ summary: "二" });
    const second = {
      type: "healthcheck:model_validation",
      data: { results: [], availableModels: { cursor: ["一", "二"] } },
      groupId: null,
      agentId: null,
      at: NOON,
    } as const;

    await store.transaction(async (unit) => {
      await unit.emit(first);
      await unit.emit(second);
    });

    const stored = await store.listEvents(0, 10);
    expect(stored).toEqual([first, second].map((event, n) => ({ seq: n + 1, ...event })));
    expect(await store.lastEventSeq()).toBe(2);
  });

  test("events are read after any sequence number, up to the limit", async () => {
    const store = await aStore();
    await append(
      store,
      range(1, 5).map((n) => anEvent({ at: n })),
    );
    const all = await store.listEvents(0, 100);

    expect(await store.listEvents(all[1]?.seq ?? 0, 2)).toEqual(all.slice(2, 4));
    expect(await store.listEvents(await store.lastEventSeq(), 10)).toEqual([]);
  });

  test("an event of a transaction that fails is not stored", async () => {
    const store = await aStore();
    await insert(store, [anAgent()]);

    const attempt = store.transaction(async (unit) => {
      await unit.emit(anEvent());
      await unit.updateAgent(anAgent(), anAgent({ version: 7 }));
    });

    await expect(attempt).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await store.listEvents(0, 10)).toEqual([]);
  });

  test("a reader that follows events while 50 transactions commit misses none and sees none twice", async () => {
    const store = await aStore();
    let last = 0;
    const followed: RecordedEvent[] = [];
    const follow = async () => {
      const events = await store.listEvents(last, 7);
      followed.push(...events);
      last = events.at(-1)?.seq ?? last;
      return events.length;
    };

    const writers = range(1, 50).map(async (n) => {
      // Some concurrent, some not: a store may group concurrent transactions.
      for (let turn = n >> 2; turn > 0; turn -= 1) await nextTurn();
      await append(store, [anEvent({ at: n, summary: "1" }), anEvent({ at: n, summary: "2" })]);
    });
    const ended = new Set<number>();
    for (const [n, writer] of writers.entries()) void writer.then(() => ended.add(n));
    while (ended.size < writers.length) {
      await follow();
      await nextTurn();
    }
    while ((await follow()) > 0);

    expect(followed).toHaveLength(100);
    expect(followed).toEqual(await store.listEvents(0, 1_000));
    for (const n of range(1, 50)) {
      const steps = followed.filter(({ at }) => at === n).map(({ data }) => data["summary"]);
      expect(steps).toEqual(["1", "2"]);
    }
  });
}

/** Waits for this many turns of the microtask queue. */
async function failAfter(moment: number): Promise<never> {
  for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
  throw new Error("failed");
}

function fullAgent(): Agent {
  return anAgent({
    taskId: "task-1",
    executionId: "exe-1",
    resumeSession: "会話-1",
    requester: "aoi",
    status: "timedOut",
    process: "ended",
    stopReason: "timeout",
    workingDirectory: "/仕事/app",
    access: "read-only",
    timeoutMs: 60_000,
    priority: -3,
    slot: "orchestrator",
    stageIndex: 2,
    held: true,
    clientKeys: ["CURSOR_API_KEY", "ANTHROPIC_API_KEY"],
    attempt: 4,
    tokenHash: "f".repeat(64),
    pid: 4_194_304,
    pidStart: "123456789",
    bootId: "1d2c",
    exitCode: -9,
    startedAt: NOON + 1,
    endedAt: NOON + 2,
    reportedAt: NOON + 3,
  });
}
