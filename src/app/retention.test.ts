import { expect, test } from "vitest";
import { aCore, ended, started, type ACore, type TestCore } from "../../test/kit/core.ts";
import { dayOf } from "../domain/ids.ts";
import { sweepSpool } from "./agents/sweep-spool.ts";
import { createGroup } from "./groups/create-group.ts";
import { deleteGroup } from "./groups/delete-group.ts";
import { runAgents } from "./groups/run-agents.ts";
import { purgeHistory } from "./purge-history.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;
const DAY = 86_400_000;

async function aFinishedGroup(core: TestCore, count: number) {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const agents = await runAgents(core, main, {
    groupId: group.id,
    agents: Array.from({ length: count }, () => ({
      role: "impl-code",
      prompt: "x",
      workingDirectory: null,
      timeoutMs: null,
    })),
  });
  await core.quiet();
  for (const { id } of agents) await core.observe(started(id), ended(id));
  core.advance(1_000);
  return { group, ids: agents.map((agent) => agent.id) };
}

function aBigCore(over: ACore = {}): Promise<TestCore> {
  return aCore({ ...over, settings: { maxConcurrent: 100 } });
}

test("the newest twenty agents of deleted groups stay in view; the others keep the result but lose the transcript", async () => {
  const core = await aBigCore();
  const old = await aFinishedGroup(core, 15);
  const young = await aFinishedGroup(core, 15);

  await deleteGroup(core, main, { groupId: old.group.id });
  expect(core.removedSpools).toEqual([]);
  await deleteGroup(core, main, { groupId: young.group.id });

  expect((await core.store.listAgentsInView(100)).length).toBe(20);
  expect(core.removedSpools.toSorted()).toEqual(old.ids.slice(0, 10).toSorted());
  expect(await core.store.getResult(old.ids[0] ?? "x-1-x")).toMatchObject({ status: "success" });
  expect((await core.store.listHistory({ limit: 100 })).entries).toHaveLength(30);
});

test("a group is deleted with the groups below it, and only when all of them are done", async () => {
  const core = await aBigCore();
  const { group } = await aFinishedGroup(core, 1);
  const child = await createGroup(core, main, {
    description: "c",
    mode: "concurrent",
    parentGroupId: group.id,
  });
  const [busy] = await runAgents(core, main, {
    groupId: child.id,
    agents: [{ role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });
  if (!busy) throw new Error("one");
  await core.quiet();

  await expect(deleteGroup(core, main, { groupId: group.id })).rejects.toMatchObject({
    code: "GROUP_HAS_RUNNING_AGENTS",
    message: expect.stringContaining(child.id),
  });
  await core.observe(started(busy.id), ended(busy.id));
  await deleteGroup(core, main, { groupId: group.id });

  expect((await core.store.getGroup(child.id))?.status).toBe("deleted");
});

test("agents older than history.keep_days are deleted with their spool files", async () => {
  const core = await aBigCore();
  const old = await aFinishedGroup(core, 25);
  await deleteGroup(core, main, { groupId: old.group.id });
  core.advance(91 * DAY);
  const young = await aFinishedGroup(core, 1);

  expect(await purgeHistory(core, 90)).toBe(5);

  const left = (await core.store.listHistory({ limit: 100 })).entries.map(({ agent }) => agent.id);
  expect(left).toContain(young.ids[0]);
  expect(left).toHaveLength(21);
  expect(await core.store.getAgent(old.ids[0] ?? "")).toBeUndefined();
});

test("transcripts that are stored for other servers are deleted with the spool files", async () => {
  const base = await aBigCore();
  const removed: string[] = [];
  const before: string[] = [];
  const core = {
    ...base,
    transcripts: {
      read: async () => ({ lines: [], nextOffset: 0, size: 0 }),
      readEnd: async () => "",
      remove: async (ids: readonly string[]) => void removed.push(...ids),
      removeBefore: async (day: string) => void before.push(day),
      prepare: async () => {},
    },
  };
  const old = await aFinishedGroup(base, 25);

  await deleteGroup(core, main, { groupId: old.group.id });
  expect(removed.toSorted()).toEqual(old.ids.slice(0, 5).toSorted());
  base.advance(91 * DAY);
  await purgeHistory(core, 90);

  expect(removed).toHaveLength(10);
  expect(before).toEqual([dayOf(base.clock.now() - 90 * DAY)]);
});

test("spool files of agents that are not in the database are deleted at the start", async () => {
  const core = await aBigCore({ spooled: ["impl-code-1-dead"] });
  await aFinishedGroup(core, 1);

  expect(await sweepSpool(core)).toBe(1);

  expect(core.removedSpools).toEqual(["impl-code-1-dead"]);
});

test("spool files are kept if the database has no agents: it may have replaced a lost one", async () => {
  const core = await aBigCore({ spooled: ["impl-code-1-alive"] });

  expect(await sweepSpool(core)).toBe(0);

  expect(core.removedSpools).toEqual([]);
});
