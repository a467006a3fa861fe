import { expect, test } from "vitest";
import { aRole, type TestCore } from "../../test/kit/core.ts";
import {
  agent,
  aRunningExecution,
  aStep,
  call,
  callOnce,
  decide,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  stepStatuses,
  theExecution,
  WRITE,
} from "../../test/kit/execution.ts";
import { held, saying } from "../../test/kit/fake-upstream.ts";
import { aTaskAgent, EXECUTOR } from "../../test/kit/running-task.ts";
import { Refusal } from "../domain/refusal.ts";
import { changeTaskStatus } from "./change-task-status.ts";
import { LOCAL_USER } from "./core.ts";
import { decideApproval } from "./decide-approval.ts";
import type { Store } from "./ports/store.ts";

/** Gives way to others for a random while; a seed makes a failure repeatable. */
function chance(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return async (most: number) => {
    for (let turns = next(most); turns > 0; turns--) {
      if (next(3) === 0) await new Promise((done) => setImmediate(done));
      else await Promise.resolve();
    }
  };
}

/** A store whose answers arrive late, in any order: commits and what follows them come apart. */
function makeSlow(core: TestCore, wait: (most: number) => Promise<void>): void {
  const { store } = core;
  const slow: Store = {
    ...store,
    async transaction(work) {
      await wait(10);
      const done = await store.transaction(work);
      await wait(30);
      return done;
    },
  };
  Object.assign(core, { store: slow });
}

test("no call is forwarded after a block was acknowledged, however they are interleaved", async () => {
  const rounds = Array.from({ length: 200 }, (_each, seed) => seed);
  for (const seed of rounds) {
    const { core, upstream } = await aRunningExecution({ roles: [aRole({ mcpServers: ["*"] })] });
    const child = await aTaskAgent(core);
    const wait = chance(seed);
    makeSlow(core, wait);
    upstream.on("list_employees", async (sent) => {
      await wait(20);
      return saying("ok")(sent);
    });
    const calls = [EXECUTOR, child, EXECUTOR].map(async (agentId, index) => {
      await wait(60);
      const identity = agent(agentId, agentId === child ? "impl-code" : "executor");
      await call(core, "list_employees", { index }, { identity }).catch(() => undefined);
    });
    const checked = (async () => {
      await wait(40);
      await call(core, WRITE, {}).catch(() => undefined);
    })();
    const approving = (async () => {
      await wait(80);
      const [approval] = await pendingApprovals(core);
      if (!approval) return;
      const { id: approvalId, version } = approval;
      const said = { approvalId, version, decision: "approve" } as const;
      await decideApproval(core, LOCAL_USER, said).catch(() => {});
    })();

    await wait(60);
    await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });
    const acknowledged = upstream.sent.length;
    await Promise.all([...calls, checked, approving]);

    expect(upstream.sent.length, `seed ${seed}`).toBe(acknowledged);
    // Whatever had been sent was answered before, or cancelled.
    const rows = await core.store.listToolCalls("exe-01");
    expect(rows.every(({ status }) => status !== "forwarded")).toBe(true);
  }
}, 120_000);

test("a call in flight is cancelled by a block, listed in its answer, and asked about", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", held().reply);
  const refused = refusalOf(call(core, "list_employees"));
  await core.quiet();

  const blocked = await changeTaskStatus(core, LOCAL_USER, {
    taskId: "task-01",
    status: "blocked",
  });
  expect(await refused).toMatchObject({ code: "STOP_REQUESTED" });

  expect(blocked.cancelledCalls).toEqual([
    { server: "hr", tool: "list_employees", agentId: EXECUTOR },
  ]);
  expect(upstream.sent[0]?.signal.aborted).toBe(true);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "outcome_unknown" }]);
  expect(await stepStatuses(core)).toEqual(["outcome_unknown", "waiting", "waiting"]);
  expect(await pendingApproval(core)).toMatchObject({ kind: "outcome", stepId: "step-1" });
});

test("a call that is held when the task is blocked is refused at once, and nobody is asked any more", async () => {
  const { core, upstream } = await aRunningExecution();
  const refused = refusalOf(call(core, WRITE));
  await pendingApproval(core);

  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });
  expect(await refused).toMatchObject({ code: "STOP_REQUESTED" });

  expect(await pendingApprovals(core)).toEqual([]);
  expect(upstream.sent).toEqual([]);
});

test("while a stop is open only what changes nothing passes, if it is in a step", async () => {
  const steps = [aStep(1, { tool: "list_attendance" }), aStep(2)];
  const { core, upstream } = await aRunningExecution({}, { steps });
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  await call(core, "list_attendance");
  await expect(call(core, "list_employees")).rejects.toMatchObject({ code: "STOP_REQUESTED" });

  expect(upstream.sent.map(({ tool }) => tool)).toEqual(["list_attendance"]);
  expect(await theExecution(core)).toMatchObject({ status: "stopping" });
});

test("while a stop is open nobody is asked about a tool that is in no step", async () => {
  const { core } = await aRunningExecution();
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  await expect(call(core, "list_attendance")).rejects.toMatchObject({ code: "STOP_REQUESTED" });

  expect(await pendingApprovals(core)).toEqual([]);
});

test("an agent on no execution that was told to stop has nothing forwarded either", async () => {
  const { core, upstream } = await aRunningExecution({ roles: [aRole({ mcpServers: ["*"] })] });
  const drafter = await aTaskAgent(core, { executionId: null });
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  const identity = agent(drafter, "impl-code");
  await expect(call(core, "list_employees", {}, { identity })).rejects.toMatchObject({
    code: "STOP_REQUESTED",
  });

  expect(upstream.sent).toEqual([]);
});

test("a call stopped between its intent and its sending is not sent, and its approval stays good", async () => {
  const { core, upstream } = await aRunningExecution();
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  const approval = await decide(core, "approve");
  const client = new AbortController();
  client.abort();

  await expect(call(core, WRITE, {}, { signal: client.signal })).rejects.toBeInstanceOf(Refusal);

  expect(upstream.sent).toEqual([]);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "cancelled" }]);
  expect(await core.store.getApproval(approval.id)).toMatchObject({ usedAt: null });
});
