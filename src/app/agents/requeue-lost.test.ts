import { expect, test, vi } from "vitest";
import { aNotification } from "../../../test/contract/store/notifications.ts";
import {
  aCore,
  aRole,
  ended,
  someProgress,
  started,
  type ACore,
  type TestCore,
} from "../../../test/kit/core.ts";
import { withFakeDeadlines } from "../../../test/kit/fake-deadlines.ts";
import { anIsolatedAgent } from "../../../test/kit/isolated-agents.ts";
import { launchesOf, launchedIds, withLabels } from "../../../test/kit/labelled-agents.ts";
import { aRepository } from "../../../test/kit/repository.ts";
import { auditSentence } from "../../contract/audit-words.ts";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import type { AgentId } from "../../domain/ids.ts";
import { killLost } from "../servers/kill-lost.ts";
import { takeOver } from "../servers/take-over.ts";
import { registerReport } from "./register-report.ts";
import { requeueIfHostLost } from "./requeue-lost.ts";
import { requireAgent } from "./require-agent.ts";
import { stopAgent } from "./stop-agent.ts";
import { watchDeadlines } from "./watch-deadlines.ts";

const NONE: AgentId = "no-agent-0";
const REQUEUED = [aRole({ onLost: "requeue" })];
const HALF_DONE = someProgress({
  end: null,
  sessionId: "talk",
  usage: { inputTokens: 5, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0 },
});

/** A server that runs one agent, which has done a part of its work. */
async function aRunning(over: ACore = {}, progress: AgentProgress = HALF_DONE) {
  const core = await aCore({ serverId: "a", roles: REQUEUED, ...over });
  const [id = NONE] = await withLabels(core, [[]]);
  expect(await launchesOf(core, 1)).toEqual([id]);
  await core.observe(started(id), { type: "progress", agentId: id, attempt: 1, progress });
  return { core, id };
}

/** Another server on the same store, which cleans up after the first one. */
async function aTakingOver(lost: TestCore, over: ACore = {}): Promise<TestCore> {
  const core = await aCore({ serverId: "b", roles: REQUEUED, store: lost.store, ...over });
  await takeOverFrom("a", core);
  return core;
}

async function takeOverFrom(serverId: string, core: TestCore): Promise<void> {
  await takeOver(core, serverId, () => false);
  await vi.waitFor(async () =>
    expect(await core.store.countByProcess()).toMatchObject({ waiting: 0 }),
  );
  await core.quiet();
}

async function requeue(core: TestCore, id: AgentId): Promise<void> {
  await core.store.transaction(async (unit) => {
    const agent = await requireAgent(unit, id);
    expect(await requeueIfHostLost(core, unit, agent, HALF_DONE)).toBe(true);
  });
}

const audited = async (core: TestCore) =>
  (await core.store.listAudit({ limit: 100 })).entries.filter(
    ({ action }) => action === "agent.host_lost",
  );

test("an agent of a lost host is started again with a new token, and the audit and its result say so", async () => {
  const { core, id } = await aRunning();
  const before = await core.store.getAgent(id);

  const other = await aTakingOver(core);

  expect(other.launches).toMatchObject([{ agentId: id, attempt: 2 }]);
  const agent = await other.store.getAgent(id);
  expect(agent).toMatchObject({ status: "queued", process: "starting", workerId: "b", pid: null });
  expect(agent?.tokenHash).not.toBe(before?.tokenHash);
  expect(await other.store.findAgentByTokenHash(before?.tokenHash ?? "")).toBeUndefined();
  const [entry] = await audited(other);
  if (!entry) throw new Error("nothing was audited");
  expect(auditSentence(entry, "en")).toContain(`ran ${id} is gone, so ${id} went back`);
  expect(auditSentence(entry, "ja")).toContain(`${id} を待ち行列に戻しました（1 回目の起動）`);
  const events = await other.store.listEvents(0, 100);
  expect(
    events.filter(
      ({ type, data }) => type === "agent:status_update" && data["status"] === "queued",
    ),
  ).toHaveLength(1);
  const progress = other.launches[0]?.progress ?? NO_PROGRESS;
  expect(progress).toMatchObject({ ...NO_PROGRESS, warnings: [expect.stringContaining("lost")] });
  await other.observe(started(id, 2), ended(id, { attempt: 2, progress: someProgress(progress) }));
  expect(await other.store.getResult(id)).toMatchObject({
    warnings: expect.arrayContaining([expect.stringContaining("was started again")]),
  });
});

test("an agent of a lost host has no token and no host while it waits", async () => {
  const { core, id } = await aRunning();
  const other = await aCore({
    serverId: "b",
    roles: REQUEUED,
    store: core.store,
    offer: { slots: 0 },
  });

  await requeue(other, id);

  expect(await other.store.getAgent(id)).toMatchObject({
    status: "queued",
    process: "waiting",
    tokenHash: null,
    workerId: null,
    pid: null,
    startedAt: null,
  });
});

test("the tokens of a lost attempt count, and the agent counts once", async () => {
  const { core, id } = await aRunning();
  const other = await aTakingOver(core);

  await other.observe(started(id, 2), ended(id, { attempt: 2, progress: HALF_DONE }));

  const day = new Date(other.clock.now()).toISOString().slice(0, 10);
  const rows = await other.store.listUsage(day, day);
  expect(rows).toMatchObject([{ agents: 1, inputTokens: 10, outputTokens: 14 }]);
});

test("an agent whose launch was not confirmed before its host was lost is started again, too", async () => {
  const core = await aCore({ serverId: "a", roles: REQUEUED });
  const [id = NONE] = await withLabels(core, [[]]);
  expect(await launchesOf(core, 1)).toEqual([id]);

  const other = await aTakingOver(core);

  expect(other.launches).toMatchObject([{ agentId: id, attempt: 2 }]);
});

test("an agent is lost with its host unless its role says otherwise", async () => {
  const roles = [aRole()];
  const { core, id } = await aRunning({ roles });

  const other = await aTakingOver(core, { roles });

  expect(await other.store.getAgent(id)).toMatchObject({ status: "lost", process: "ended" });
  expect(launchedIds(other)).toEqual([]);
  expect(await audited(other)).toEqual([]);
});

test("an agent that loses its third host is lost", async () => {
  const { core, id } = await aRunning();
  let [from, to, last] = ["a", "b", core];
  for (const attempt of [2, 3]) {
    last = await aCore({ serverId: to, roles: REQUEUED, store: core.store });
    await takeOverFrom(from, last);
    expect(last.launches).toMatchObject([{ agentId: id, attempt }]);
    await last.observe(started(id, attempt));
    [from, to] = [to, from];
  }

  const next = await aCore({ serverId: "c", roles: REQUEUED, store: core.store });
  await takeOverFrom(from, next);

  expect(await next.store.getAgent(id)).toMatchObject({ status: "lost", attempt: 3 });
  expect(await audited(next)).toHaveLength(2);
});

test("an agent that was being stopped, or has finished or reported, is not started again", async () => {
  const stopped = await aRunning();
  await stopAgent(stopped.core, stopped.id, "cancelled");
  const finished = await aRunning({}, someProgress());
  const reported = await aRunning();
  const report = {
    status: "success",
    summary: "s",
    response: "r",
    editedFiles: [],
    createdFiles: [],
    errorMessage: null,
  } as const;
  const { store } = reported.core;
  const agent = await store.getAgent(reported.id);
  if (!agent) throw new Error("it was asked for");
  await store.transaction((unit) => registerReport(reported.core, unit, agent, report));

  for (const [{ core, id }, status] of [
    [stopped, "cancelled"],
    [finished, "lost"],
    [reported, "resultReported"],
  ] as const) {
    const other = await aTakingOver(core);
    expect(await other.store.getAgent(id)).toMatchObject({ status, process: "ended" });
    expect(launchedIds(other)).toEqual([]);
  }
});

test("an agent whose task was interrupted is not started again", async () => {
  const { core, id } = await aRunning();
  const stop = aNotification({ agentId: id, type: "blocked" });
  await core.store.transaction((unit) => unit.insertNotification(stop));

  const other = await aTakingOver(core);

  expect(await other.store.getAgent(id)).toMatchObject({ status: "lost", process: "ended" });
});

test("an agent with a worktree on the lost host is not started again", async () => {
  const roles = [aRole({ onLost: "requeue", isolation: "auto" })];
  const core = await aCore({ serverId: "a", roles });
  const { agent } = await anIsolatedAgent(core, aRepository());

  const other = await aTakingOver(core, { roles });

  expect(await other.store.getAgent(agent.id)).toMatchObject({ status: "lost", attempt: 1 });
  expect(launchedIds(other)).toEqual([]);
}, 60_000);

test("an attempt that still runs on a host that is back is ended, and the new one is not", async () => {
  const { core, id } = await aRunning();
  const other = await aTakingOver(core);
  await other.observe(started(id, 2));
  const stops: unknown[] = [];
  const back = {
    ...core,
    supervisor: {
      ...core.supervisor,
      listSpooled: async () => [id],
      stop: (...args: unknown[]) => void stops.push(args),
    },
  };

  await killLost(back, "start");
  expect(core.adoptions).toMatchObject([{ agentId: id, attempt: 1, process: null }]);
  expect(stops).toEqual([[id, "SIGTERM", 1]]);
  await killLost({ ...back, serverId: "b" }, "running");
  expect(stops).toEqual([
    [id, "SIGTERM", 1],
    [id, "SIGTERM", 1],
  ]);
});

test("output of an attempt that was given up ends its process and changes nothing", async () => {
  const { core, id } = await aRunning();
  const other = await aTakingOver(core);
  const before = await other.store.getAgent(id);

  await core.observe({ type: "progress", agentId: id, attempt: 1, progress: HALF_DONE });

  expect(core.stops).toEqual([{ agentId: id, signal: "SIGTERM" }]);
  expect(other.stops).toEqual([]);
  expect(await other.store.getAgent(id)).toEqual(before);
  expect(await other.store.getProgress(id)).toMatchObject({ toolCallCount: 0 });
});

const LIMITED = { settings: { defaultTimeoutMs: 60_000 } };

/** A server that is back, with the timers of the attempt that it ran, and all of them due. */
async function withTimersDue({ core, id }: Awaited<ReturnType<typeof aRunning>>) {
  const { core: back, deadlines, pass } = withFakeDeadlines(core);
  watchDeadlines(back, await requireAgent(core.store, id), false);
  return async () => {
    expect(deadlines).toHaveLength(1);
    for (const { name } of deadlines) pass(name);
    await core.quiet();
  };
}

test("the time limit of an attempt that was given up does not stop the next attempt", async () => {
  const first = await aRunning(LIMITED);
  const passTime = await withTimersDue(first);
  const other = await aTakingOver(first.core, LIMITED);
  await other.observe(started(first.id, 2));

  await passTime();

  expect(await other.store.getAgent(first.id)).toMatchObject({ attempt: 2, stopReason: null });
  expect(first.core.stops).toEqual([]);
});

test("the time limit of an attempt that was given up does not cancel the agent in the queue", async () => {
  const first = await aRunning(LIMITED);
  const passTime = await withTimersDue(first);
  const { core, id } = first;
  const other = await aCore({ roles: REQUEUED, store: core.store, offer: { slots: 0 } });
  await requeue(other, id);

  await passTime();

  expect(await core.store.getAgent(id)).toMatchObject({ status: "queued", process: "waiting" });
});

test("an attempt on the host of the earlier one has a time limit of its own", async () => {
  const { core, id } = await aRunning(LIMITED);
  await requeue(core, id);
  expect(await launchesOf(core, 2)).toEqual([id, id]);

  // The timer of the first attempt is set for the same time, but only fires in a minute.
  core.advance(59_999);
  await core.observe(started(id, 2));

  await expect
    .poll(() => core.store.getAgent(id), { timeout: 10_000 })
    .toMatchObject({ attempt: 2, stopReason: "timeout" });
});
