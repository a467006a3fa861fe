import { expect, test } from "vitest";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import { NO_LEDGER } from "../../../src/domain/groups/ledger.ts";
import { aGroup, anAgent, NOON } from "../../kit/builders.ts";
import {
  anEvent,
  aReport,
  aResult,
  fullAgent,
  fullProgress,
  insert,
  numbered,
  type Open,
  type Writers,
} from "./kit.ts";

export function keeping(aStore: Open, writers: Writers): void {
  test("a lone surrogate in a text becomes U+FFFD, and in the data of an event it stays", async () => {
    const store = await aStore();
    const [half, mended] = ["日本 \ud83d 語", "日本 \ufffd 語"];
    await store.transaction(async (unit) => {
      await unit.insertGroup(aGroup({ description: half }));
      await unit.insertAgent(anAgent(), half);
      await unit.emit(anEvent({ summary: half }));
    });

    expect(await store.getPrompt(anAgent().id)).toBe(mended);
    const { groups } = await store.listGroups({ view: "active", limit: 10 });
    expect(groups.map(({ description }) => description)).toEqual([mended]);
    expect((await store.listEvents(0, 10)).map(({ data }) => data["summary"])).toEqual([half]);
  });

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
    ["control characters", "before\u0001\r\n\t\u007f"],
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

  test("a null byte is kept, or replaced where the database has none; it is never refused", async () => {
    const store = await aStore();
    const text = "before\0after";

    await insert(store, [anAgent({ model: text })], text);

    const kept = writers === "one" ? text : "before\ufffdafter";
    expect(await store.getPrompt(anAgent().id)).toBe(kept);
    expect(await store.getAgent(anAgent().id)).toMatchObject({ model: kept });
    expect(await store.getAgents(["a\0", anAgent().id])).toHaveLength(1);
  });
}
