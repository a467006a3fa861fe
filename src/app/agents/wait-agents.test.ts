import { describe, expect, test, vi } from "vitest";
import { aCore, ended, someProgress, started, type TestCore } from "../../../test/kit/core.ts";
import type { AgentId } from "../../domain/ids.ts";
import { createGroup } from "../groups/create-group.ts";
import { deleteGroup } from "../groups/delete-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { announceNotifications } from "../notifications/announce-notifications.ts";
import { getNotifications } from "../notifications/get-notifications.ts";
import { notifyAgent } from "../notifications/notify-agent.ts";
import { getAgentStatus } from "./get-agent-status.ts";
import { reportResult } from "./report-result.ts";
import { resumeAgents } from "./resume-agents.ts";
import { waitAgents, type WaitAgents } from "./wait-agents.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;

async function agentsOf(core: TestCore, count: number): Promise<AgentId[]> {
  const group = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const agents = await runAgents(
    core,
    { kind: "client", cwd: "/", keys: {} },
    {
      groupId: group.id,
      agents: Array.from({ length: count }, () => ({
        role: "impl-code",
        prompt: "x",
        workingDirectory: null,
        timeoutMs: null,
      })),
    },
  );
  await core.quiet();
  return agents.map((agent) => agent.id);
}

function wait(core: TestCore, over: Partial<WaitAgents>, signal = new AbortController().signal) {
  return waitAgents(
    core,
    {
      agentIds: [],
      mode: "all",
      until: "result",
      timeoutMs: null,
      cursor: null,
      maxBlockMs: 60_000,
      ...over,
    },
    { signal, beat: () => {} },
  );
}

test("wait_agent waits until every agent is settled", async () => {
  const core = await aCore();
  const [one, two] = await agentsOf(core, 2);
  if (!one || !two) throw new Error("two");
  const waiting = wait(core, { agentIds: [one, two] });

  await core.observe(started(one), ended(one));
  await core.observe(started(two), ended(two));

  expect(await waiting).toMatchObject({
    completed: [{ agent: { id: one } }, { agent: { id: two } }],
    pending: [],
    timedOut: false,
    cursor: null,
  });
});

test("a wait in mode any returns the first agent; with its cursor the next call waits for another", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 2);
  const [one, two] = ids;
  if (!one || !two) throw new Error("two");
  await core.observe(started(one), ended(one));

  const first = await wait(core, { agentIds: ids, mode: "any" });
  expect(first).toMatchObject({ pending: [two], timedOut: false });

  const next = wait(core, { agentIds: ids, mode: "any", cursor: first.cursor });
  await core.observe(started(two), ended(two));
  expect(await next).toMatchObject({ pending: [], cursor: null });
});

test("a chunk that ends early returns a cursor, and the next answer lists an agent that settled in between", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 1);
  const [one] = ids;
  if (!one) throw new Error("one");

  const first = await wait(core, { agentIds: ids, maxBlockMs: 0 });
  expect(first).toMatchObject({ completed: [], pending: [one], timedOut: false });
  expect(first.cursor).not.toBeNull();

  await core.observe(started(one), ended(one));
  expect(await wait(core, { agentIds: ids, cursor: first.cursor })).toMatchObject({
    completed: [{ agent: { id: one } }],
    cursor: null,
  });
});

test("with the cursor, a wait lists only the agents that finished since the last answer", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 3);
  const [one, two, three] = ids;
  if (!one || !two || !three) throw new Error("three");
  await core.observe(started(one), ended(one));
  const first = await wait(core, { agentIds: ids, maxBlockMs: 0 });
  await core.observe(started(two), ended(two), started(three), ended(three));

  const second = await wait(core, { agentIds: ids, cursor: first.cursor });

  expect(first).toMatchObject({ completed: [{ agent: { id: one } }], pending: [two, three] });
  expect(second.completed.map(({ agent }) => agent.id)).toEqual([two, three]);
  expect(second).toMatchObject({ pending: [], cursor: null });
});

test("a lost answer is repeated for the earlier cursor", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 2);
  const [one] = ids;
  if (!one) throw new Error("two");
  const { cursor } = await wait(core, { agentIds: ids, maxBlockMs: 0 });
  await core.observe(started(one), ended(one));

  const lost = await wait(core, { agentIds: ids, cursor, maxBlockMs: 0 });
  const again = await wait(core, { agentIds: ids, cursor, maxBlockMs: 0 });

  expect(lost.completed).toHaveLength(1);
  expect(again).toEqual(lost);
});

test("a wait in mode any that names only the pending agents waits for the next of them", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 3);
  const [one, two, three] = ids;
  if (!one || !two || !three) throw new Error("three");
  await core.observe(started(one), ended(one));
  const first = await wait(core, { agentIds: ids, mode: "any" });

  const next = wait(core, { agentIds: [two, three], mode: "any", cursor: first.cursor });
  await core.observe(started(two), ended(two));

  expect(await next).toMatchObject({ completed: [{ agent: { id: two } }], pending: [three] });
});

test("the caller's own timeout spans all chunks of a wait", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 1);

  const first = await wait(core, { agentIds: ids, timeoutMs: 100, maxBlockMs: 0 });
  expect(first.timedOut).toBe(false);
  core.advance(101);

  expect(await wait(core, { agentIds: ids, cursor: first.cursor })).toMatchObject({
    timedOut: true,
    cursor: null,
  });
});

test("a cancelled wait ends at once and leaves the agents alone", async () => {
  const core = await aCore();
  const ids = await agentsOf(core, 1);
  const cancel = new AbortController();
  const waiting = wait(core, { agentIds: ids }, cancel.signal);

  cancel.abort();

  expect(await waiting).toMatchObject({ pending: ids });
  expect(core.stops).toEqual([]);
});

async function aWaiter() {
  const core = await aCore();
  const [waiter, other] = await agentsOf(core, 2);
  if (!waiter || !other) throw new Error("two");
  const tell = (type: "message" | "blocked") =>
    core.store.transaction((unit) =>
      notifyAgent(core, unit, { agentId: waiter, type, text: "", from: "x", taskId: "task-1" }),
    );
  return { core, waiter, other, tell };
}

describe("an agent's wait and the notifications for it", () => {
  test.each(["message", "blocked"] as const)(
    "a %s that arrives meanwhile ends the wait",
    async (type) => {
      const { core, waiter, other, tell } = await aWaiter();
      const waiting = wait(core, { agentIds: [other], waiter });
      await core.quiet();

      await tell(type);

      expect(await waiting).toMatchObject({ pending: [other], timedOut: false });
    },
  );

  test("an earlier message that was not announced yet ends the wait", async () => {
    const { core, waiter, other, tell } = await aWaiter();
    await tell("message");

    expect(await wait(core, { agentIds: [other], waiter })).toMatchObject({ pending: [other] });
  });

  test("a stop that was announced and is unread ends the wait", async () => {
    const { core, waiter, other, tell } = await aWaiter();
    await tell("blocked");
    await announceNotifications(core, waiter);

    expect(await wait(core, { agentIds: [other], waiter })).toMatchObject({ pending: [other] });
  });

  test("a stop that was read does not: the agent may wait for agents that stop with it", async () => {
    const { core, waiter, other, tell } = await aWaiter();
    await tell("blocked");
    await getNotifications(core, waiter);
    const waiting = wait(core, { agentIds: [other], waiter });

    await core.observe(started(other), ended(other));

    expect(await waiting).toMatchObject({ completed: [{ agent: { id: other } }], pending: [] });
  });

  test("a stop of another agent does not end the wait", async () => {
    const { core, waiter, other, tell } = await aWaiter();
    const waiting = wait(core, { agentIds: [waiter], waiter: other });
    await tell("blocked");

    await core.observe(started(waiter), ended(waiter));

    expect(await waiting).toMatchObject({ completed: [{ agent: { id: waiter } }] });
  });
});

test.each([
  [{ agentIds: [] }, "EMPTY_AGENT_IDS"],
  [{ agentIds: ["impl-code-1-ffff"] }, "AGENT_NOT_FOUND"],
  [{ agentIds: ["impl-code-1-ffff"], cursor: "nonsense" }, "INVALID_CURSOR"],
])("%j is refused with %s", async (input, code) => {
  const core = await aCore();

  await expect(wait(core, input)).rejects.toMatchObject({ code });
});

describe("an agent that has reported and whose process lingers", () => {
  const report = {
    status: "success",
    summary: "できた",
    response: "全部",
    editedFiles: [],
    createdFiles: [],
    errorMessage: null,
  } as const;

  async function aLingerer(core: TestCore): Promise<AgentId> {
    const [agentId] = await agentsOf(core, 1);
    if (!agentId) throw new Error("one");
    await core.observe(started(agentId));
    await reportResult(core, main, { agentId, report });
    return agentId;
  }

  test("is done for wait_agent at once, with its result", async () => {
    const core = await aCore();
    const agentId = await aLingerer(core);
    core.advance(20_000);

    expect(await wait(core, { agentIds: [agentId] })).toMatchObject({
      completed: [{ agent: { status: "resultReported", process: "alive" }, durationMs: 0 }],
      pending: [],
      cursor: null,
    });
    expect(await getAgentStatus(core, main, agentId)).toMatchObject({
      result: { summary: "できた" },
    });
    expect(core.stops).toEqual([]);
  });

  test("ends a wait that began before its report", async () => {
    const core = await aCore();
    const [agentId] = await agentsOf(core, 1);
    if (!agentId) throw new Error("one");
    await core.observe(started(agentId));
    const waiting = wait(core, { agentIds: [agentId] });
    await core.quiet();

    await reportResult(core, main, { agentId, report });

    expect(await waiting).toMatchObject({ completed: [{ agent: { id: agentId } }], pending: [] });
  });

  test("counts once for a wait in mode any: its later end is no further answer", async () => {
    const core = await aCore();
    const [one, two] = await agentsOf(core, 2);
    if (!one || !two) throw new Error("two");
    await core.observe(started(one), started(two));
    await reportResult(core, main, { agentId: one, report });
    const first = await wait(core, { agentIds: [one, two], mode: "any" });
    expect(first).toMatchObject({ completed: [{ agent: { id: one } }], pending: [two] });

    await core.observe(ended(one));
    const next = await wait(core, {
      agentIds: [one, two],
      mode: "any",
      cursor: first.cursor,
      maxBlockMs: 0,
    });

    expect(next).toMatchObject({ pending: [two], timedOut: false });
    expect(next.cursor).not.toBeNull();
  });

  test("shows in its result what it does after the report", async () => {
    const core = await aCore();
    const agentId = await aLingerer(core);

    const progress = someProgress({ end: null, editedFiles: ["/a.ts"], toolCallCount: 7 });
    await core.observe({ type: "progress", agentId, attempt: 1, progress });

    expect(await getAgentStatus(core, main, agentId)).toMatchObject({
      result: { summary: "できた", editedFiles: ["/a.ts"], toolCallCount: 7 },
    });
  });

  test("keeps its slot until its process has ended", async () => {
    const core = await aCore({ settings: { maxConcurrent: 1 } });
    const agentId = await aLingerer(core);
    await agentsOf(core, 1);
    expect(core.launches).toHaveLength(1);

    await core.observe(ended(agentId));
    await core.quiet();

    expect(core.launches).toHaveLength(2);
  });

  test("does not keep its group from being deleted, and is reaped afterwards", async () => {
    const core = await aCore({ settings: { lingerMs: 1 } });
    const agentId = await aLingerer(core);
    const groupId = (await core.store.getAgent(agentId))?.groupId ?? "";

    await deleteGroup(core, main, { groupId });

    expect(core.removedSpools).toEqual([]);
    await vi.waitFor(() => expect(core.stops).toMatchObject([{ agentId }]), 60_000);
    await core.observe(ended(agentId, { exitCode: 143 }));
    expect(await core.store.getAgent(agentId)).toMatchObject({
      process: "ended",
      status: "resultReported",
    });
    expect((await core.store.listHistory({ limit: 10 })).entries).toMatchObject([
      { agent: { id: agentId }, result: { summary: "できた" } },
    ]);
  });

  test("keeps its transcript while its process writes it, even if it would leave the view", async () => {
    const core = await aCore({ settings: { maxConcurrent: 100 } });
    const lingerer = await aLingerer(core);
    const groupOf = async (id: AgentId) => (await core.store.getAgent(id))?.groupId ?? "";
    await deleteGroup(core, main, { groupId: await groupOf(lingerer) });

    const later = await agentsOf(core, 25);
    for (const id of later) await core.observe(started(id), ended(id));
    const [first] = later;
    if (!first) throw new Error("25");
    await deleteGroup(core, main, { groupId: await groupOf(first) });

    expect(core.removedSpools.length).toBeGreaterThan(0);
    expect(core.removedSpools).not.toContain(lingerer);
  });

  test("does not let its group be deleted while another agent of it works", async () => {
    const core = await aCore();
    const [one, two] = await agentsOf(core, 2);
    if (!one || !two) throw new Error("two");
    await core.observe(started(one), started(two));
    await reportResult(core, main, { agentId: one, report });
    const groupId = (await core.store.getAgent(one))?.groupId ?? "";

    await expect(deleteGroup(core, main, { groupId })).rejects.toMatchObject({
      code: "GROUP_HAS_RUNNING_AGENTS",
      message: expect.stringContaining("1 agent(s)"),
    });
  });

  test("is still done after kill -9 of the daemon, and the next daemon reaps it", async () => {
    const dead = await aCore();
    const agentId = await aLingerer(dead);

    const next = await aCore({ store: dead.store, settings: { lingerMs: 1 } });
    await resumeAgents(next);

    expect(await wait(next, { agentIds: [agentId] })).toMatchObject({
      completed: [{ agent: { id: agentId, status: "resultReported" } }],
      cursor: null,
    });
    expect(next.adoptions).toMatchObject([{ agentId }]);
    await vi.waitFor(() => expect(next.stops).toMatchObject([{ agentId }]), 60_000);
    expect(await next.store.getAgent(agentId)).toMatchObject({ stopReason: "lingered" });
  });
});
