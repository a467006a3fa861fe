import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { systemRandom } from "../../../src/adapters/world.ts";
import { decideApproval } from "../../../src/app/approvals/decide-approval.ts";
import { LOCAL_USER } from "../../../src/app/core.ts";
import { carryOutCalls } from "../../../src/app/gateway/carry-out-calls.ts";
import { recoverCalls } from "../../../src/app/gateway/recover-calls.ts";
import { callRole } from "../../../src/app/gateway/role-calls/call-role.ts";
import { STOP_CONFIRMED_WITHIN_MS } from "../../../src/app/servers/confirm-stop.ts";
import { followOthers } from "../../../src/app/servers/follow-others.ts";
import { changeTaskStatus } from "../../../src/app/tasks/change-task-status.ts";
import { emitToolCall } from "../../../src/app/tasks/execution/execution-event.ts";
import { aToolCall } from "../../kit/builders.ts";
import { aCore, type TestCore } from "../../kit/core.ts";
import {
  aRunningExecution,
  aStep,
  call,
  executor,
  pendingApproval,
  refusalOf,
  stepStatuses,
  WRITE,
} from "../../kit/execution.ts";
import { held, saying } from "../../kit/fake-upstream.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { rowsOf } from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS, rounds } from "../../kit/rounds.ts";
import { EXECUTOR } from "../../kit/running-task.ts";

const BLOCK = { taskId: "task-01", status: "blocked" } as const;
const STEPS = { steps: [aStep(1)], executor: { workerId: "b" } };

/** Two servers on one database. The executor of the task runs on the second one. */
async function twoServers(task: Parameters<typeof aRunningExecution>[1] = STEPS) {
  const url = await aMigratedUrl();
  const ends: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0)) await end();
  };
  onTestFinished(close);
  const open = async () => {
    const store = await openPostgresStore({ url });
    ends.push(() => store.close());
    return store;
  };
  const { core: b, upstream } = await aRunningExecution(
    { store: await open(), serverId: "b" },
    task,
  );
  const a = await aCore({ store: await open(), serverId: "a", upstream });
  for (const core of [a, b]) {
    // Ids must differ between the servers.
    Object.assign(core, { random: systemRandom });
    const following = followOthers(core);
    ends.unshift(() => following.stop());
  }
  return { a, b, upstream, url, close };
}

/** PostgreSQL reports its counters about a second late. */
async function deadlocksIn(urls: readonly string[]): Promise<number> {
  await sleep(1_500);
  const names = urls.map((url) => `'${new URL(url).pathname.slice(1)}'`);
  const [row] = await rowsOf(
    urls[0] ?? "",
    `select sum(deadlocks)::int as count from pg_stat_database where datname in (${names.join()})`,
  );
  return Number(row?.["count"]);
}

/** The store answers late: a call and what follows its intent come apart. */
function slowDown(core: TestCore, afterMs: () => number): void {
  const { store } = core;
  Object.assign(core, {
    store: {
      ...store,
      async transaction(work: Parameters<typeof store.transaction>[0]) {
        const done = await store.transaction(work);
        await sleep(afterMs());
        return done;
      },
    },
  });
}

/** Some calls are sent before the block and some are not, however slow the machine is. */
async function untilSent({ sent }: { readonly sent: readonly unknown[] }, count: number) {
  await expect.poll(() => sent.length, { interval: 1 }).toBeGreaterThanOrEqual(count);
  await sleep(Math.random() * 20);
}

test("no call of an agent on one server is sent after a block was acknowledged by another", async () => {
  const urls: string[] = [];
  let sent = 0;
  for (let round = 0; round < rounds({ all: 60, few: 10 }); round++) {
    const { a, b, upstream, url, close } = await twoServers();
    urls.push(url);
    slowDown(b, () => Math.random() * 8);
    upstream.on("list_employees", async (one) => {
      await sleep(Math.random() * 5);
      return saying("ok")(one);
    });
    const calls = Array.from({ length: 10 }, async (_, index) => {
      await sleep(Math.random() * 60);
      await call(b, "list_employees", { index }).catch(() => undefined);
    });

    await untilSent(upstream, round % 5);
    const { unconfirmedCalls } = await changeTaskStatus(a, LOCAL_USER, BLOCK);
    const acknowledged = upstream.sent.length;
    await Promise.all(calls);

    // On a busy machine a server may not confirm in time; then its calls are named.
    expect(upstream.sent.length - acknowledged).toBeLessThanOrEqual(unconfirmedCalls.length);
    const rows = await a.store.listToolCalls("exe-01");
    expect(rows.every(({ status }) => status !== "forwarded")).toBe(true);
    expect((await refusalOf(call(b, "list_employees", { late: 1 }))).code).toBe("STOP_REQUESTED");
    sent += acknowledged;
    // The connections of all rounds together would be more than the database allows.
    await close();
  }
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(urls.length * 10);
  expect(await deadlocksIn(urls)).toBe(0);
});

test.runIf(HAS_ALL_ROUNDS)(
  "no call that one server carries out for another is sent after a block was acknowledged by either",
  async () => {
    const urls: string[] = [];
    let sent = 0;
    for (let round = 0; round < rounds({ all: 60, few: 10 }); round++) {
      const { a, b, upstream, url, close } = await twoServers();
      urls.push(url);
      Object.assign(a, { placement: { ownerOf: () => null, isOwner: () => true } });
      Object.assign(b, { placement: { ownerOf: () => "a", isOwner: () => false } });
      const carrying = carryOutCalls(a);
      for (const core of [a, b]) slowDown(core, () => Math.random() * 8);
      upstream.on("list_employees", async (one) => {
        await sleep(Math.random() * 5);
        return saying("ok")(one);
      });
      const calls = Array.from({ length: 10 }, async (_, index) => {
        await sleep(Math.random() * 60);
        await call(b, "list_employees", { index }).catch(() => undefined);
      });

      await untilSent(upstream, round % 5);
      const { unconfirmedCalls } = await changeTaskStatus(
        round % 2 === 0 ? a : b,
        LOCAL_USER,
        BLOCK,
      );
      const acknowledged = upstream.sent.length;
      await Promise.all(calls);

      // On a busy machine a server may not confirm in time; then its calls are named.
      expect(upstream.sent.length - acknowledged).toBeLessThanOrEqual(unconfirmedCalls.length);
      const rows = await a.store.listToolCalls("exe-01");
      expect(rows.every(({ status }) => status !== "forwarded")).toBe(true);
      sent += acknowledged;
      carrying.stop();
      await close();
    }
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(urls.length * 10);
    expect(await deadlocksIn(urls)).toBe(0);
  },
);

test("a call that was handed over before a block and is taken after it is not sent", async () => {
  const { a, b, upstream } = await twoServers();
  Object.assign(a, { placement: { ownerOf: () => null, isOwner: () => true } });
  // The server that handed it over is paused and does not give it up.
  const handed = aToolCall({ agentId: EXECUTOR, sentBy: "b", handedTo: "a" });
  await b.store.transaction((unit) => unit.insertToolCall(handed));
  await changeTaskStatus(a, LOCAL_USER, BLOCK);

  const carrying = carryOutCalls(a);
  await b.store.transaction((unit) => emitToolCall(b, unit, handed));

  await expect.poll(async () => (await a.store.getToolCall(handed.id))?.status).toBe("cancelled");
  expect(upstream.sent).toEqual([]);
  carrying.stop();
});

test("a block names the call of a server that was paused between intent and sending, and it is never sent", async () => {
  const { a, b, upstream } = await twoServers();
  const intended = Promise.withResolvers<void>();
  const { store } = b;
  let isPaused = true;
  Object.assign(b, {
    store: {
      ...store,
      async transaction(work: Parameters<typeof store.transaction>[0]) {
        const done = await store.transaction(work);
        const forwarded = await store.listForwardedToolCalls();
        if (isPaused && forwarded.length > 0) {
          isPaused = false;
          intended.resolve();
          await sleep(STOP_CONFIRMED_WITHIN_MS + 500);
        }
        return done;
      },
    },
  });
  const refused = refusalOf(call(b, "list_employees"));
  await intended.promise;

  const { unconfirmedCalls } = await changeTaskStatus(a, LOCAL_USER, BLOCK);

  expect(unconfirmedCalls).toEqual([{ server: "hr", tool: "list_employees", agentId: EXECUTOR }]);
  expect((await refused).code).toBe("STOP_REQUESTED");
  expect(upstream.sent).toEqual([]);
  expect(await a.store.listToolCalls("exe-01")).toMatchObject([{ status: "cancelled" }]);
});

test("a block cancels a call in flight on another server, confirms it, and a person is asked", async () => {
  const { a, b, upstream } = await twoServers();
  upstream.on("list_employees", held().reply);
  const refused = refusalOf(call(b, "list_employees"));
  await expect.poll(() => upstream.sent.length).toBe(1);

  const { unconfirmedCalls } = await changeTaskStatus(a, LOCAL_USER, BLOCK);

  expect(unconfirmedCalls).toEqual([]);
  expect(upstream.sent[0]?.signal.aborted).toBe(true);
  expect((await refused).code).toBe("STOP_REQUESTED");
  expect(await stepStatuses(a)).toEqual(["outcome_unknown"]);
});

test("a server that starts recovers no call of another server, and takes over those of a dead one", async () => {
  const { a, b, upstream } = await twoServers();
  upstream.on("list_employees", held().reply);
  const calling = call(b, "list_employees").catch(() => undefined);
  await expect.poll(() => upstream.sent.length).toBe(1);

  expect(await recoverCalls(a, () => false)).toBe(0);
  expect(await a.store.listToolCalls("exe-01")).toMatchObject([{ status: "forwarded" }]);

  expect(await recoverCalls(a, () => false, "b")).toBe(1);
  expect(await a.store.listToolCalls("exe-01")).toMatchObject([{ status: "outcome_unknown" }]);
  expect(await pendingApproval(a)).toMatchObject({ kind: "outcome" });
  for (const { abort } of b.calls.ofAgents(new Set([EXECUTOR]))) abort.abort();
  await calling;
});

test("an approval that two servers decide at once has one winner; the loser learns who won", async () => {
  for (let round = 0; round < rounds({ all: 50, few: 5 }); round++) {
    const { a, b, upstream, close } = await twoServers({ executor: { workerId: "b" } });
    const calling = call(b, WRITE).catch((error: unknown) => error);
    const { id: approvalId, version } = await pendingApproval(a);
    const said = { approvalId, version };

    const results = await Promise.allSettled([
      decideApproval(a, LOCAL_USER, { ...said, decision: "approve" }),
      decideApproval(b, LOCAL_USER, { ...said, decision: "reject", reason: "いいえ" }),
    ]);

    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [loser] = results.filter((each) => each.status === "rejected");
    expect(loser?.reason).toMatchObject({ code: "APPROVAL_ALREADY_DECIDED" });
    const won = await a.store.getApproval(approvalId);
    expect(won?.status).toBe(results[0].status === "fulfilled" ? "approved" : "rejected");
    // The held call on the second server wakes up by the feed, wherever the decision was made.
    await calling;
    expect(upstream.sent).toHaveLength(results[0].status === "fulfilled" ? 1 : 0);
    await close();
  }
});

test("identities and stops are read from the rows, so a stop on one server refuses calls on the other at once", async () => {
  const { a, b, upstream } = await twoServers();
  await call(b, "list_employees", { before: 1 });

  await changeTaskStatus(a, LOCAL_USER, BLOCK);

  expect((await refusalOf(call(b, "list_employees", {}, { identity: executor }))).code).toBe(
    "STOP_REQUESTED",
  );
  expect(upstream.sent).toHaveLength(1);
});

/** The executor hands work to an agent, and does not wait for it. */
function delegate(core: TestCore) {
  return callRole(core, executor, {
    name: "agent_impl-code",
    args: { prompt: "実装して" },
    signal: new AbortController().signal,
    patienceMs: 0,
    beat: () => {},
  });
}

test("an executor's call of a role that reaches two servers at once starts one agent", async () => {
  const steps = [aStep(1, { server: null, tool: "agent:impl-code" })];
  const { a, b } = await twoServers({ steps, executor: { workerId: "b" } });
  // Neither server commits before both have begun.
  const begun = new Set<TestCore>();
  for (const core of [a, b]) {
    const { store } = core;
    const transaction: typeof store.transaction = (work) =>
      store.transaction(async (unit) => {
        begun.add(core);
        const done = await work(unit);
        await vi.waitFor(() => expect(begun.size).toBe(2));
        await sleep(50);
        return done;
      });
    Object.assign(core, { store: { ...store, transaction } });
  }

  const answers = await Promise.all([delegate(a), delegate(b)]);

  const agents = await a.store.listTaskAgents("task-01");
  const children = agents.filter(({ role }) => role === "impl-code");
  expect(answers.map(({ agentId }) => agentId)).toEqual([children[0]?.id, children[0]?.id]);
  expect(children).toHaveLength(1);
});
