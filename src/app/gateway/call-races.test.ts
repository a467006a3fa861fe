import { expect, test } from "vitest";
import { aRole, ended, type TestCore } from "../../../test/kit/core.ts";
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
  textOf,
  theExecution,
  WRITE,
} from "../../../test/kit/execution.ts";
import { failing, held, saying } from "../../../test/kit/fake-upstream.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import { aTaskAgent, EXECUTOR } from "../../../test/kit/running-task.ts";
import { Refusal } from "../../domain/refusal.ts";
import { stopAgent } from "../agents/stop-agent.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { expireApprovals } from "../approvals/expire-approvals.ts";
import { LOCAL_USER } from "../core.ts";
import type { Store } from "../ports/store.ts";
import { changeTaskStatus } from "../tasks/change-task-status.ts";

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
  for (let seed = 0; seed < rounds({ all: 200, few: 20 }); seed++) {
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
});

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

test("a call that is held when the task is blocked is refused at once, and no person is asked any more", async () => {
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

test("while a stop is open no person is asked about an unplanned tool", async () => {
  const { core } = await aRunningExecution();
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  await expect(call(core, "list_attendance")).rejects.toMatchObject({ code: "STOP_REQUESTED" });

  expect(await pendingApprovals(core)).toEqual([]);
});

test("a call of an agent on no execution with an open stop is not forwarded either", async () => {
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

const UNCHECKED = { steps: [aStep(1, { tool: WRITE })] };

/** Until everything that can go on has. */
async function settle(): Promise<void> {
  for (let round = 0; round < 50; round++) await new Promise((done) => setImmediate(done));
}

test("the same call of the same agent while it is under way is not a second one", async () => {
  const { core, upstream } = await aRunningExecution({}, UNCHECKED);
  const slow = held();
  upstream.on(WRITE, slow.reply);

  const first = call(core, WRITE, { rows: [1] });
  await settle();
  const again = call(core, WRITE, { rows: [1] });
  await settle();
  slow.letGo("written");

  expect([textOf(await first), textOf(await again)]).toEqual(["written", "written"]);
  expect(upstream.sent).toHaveLength(1);
});

test("no person is asked again for a client that disconnected while it shared a call", async () => {
  const { core, upstream } = await aRunningExecution();
  const slow = held();
  upstream.on(WRITE, slow.reply);
  const client = new AbortController();
  const first = call(core, WRITE);
  const second = refusalOf(call(core, WRITE, {}, { signal: client.signal }));
  await settle();
  await decide(core, "approve");
  await settle();

  client.abort();
  await second;
  slow.letGo();
  await first;

  expect(await pendingApprovals(core)).toEqual([]);
  expect(await theExecution(core)).toMatchObject({ status: "running" });
});

test("a call in flight when its agent's process ends is cancelled, and a person is asked about it", async () => {
  const { core, upstream } = await aRunningExecution({}, UNCHECKED);
  const slow = held();
  upstream.on(WRITE, slow.reply);
  const lost = refusalOf(call(core, WRITE, { rows: [1] }));
  await settle();

  await core.observe(ended(EXECUTOR));
  await lost;
  await core.quiet();
  expect(await pendingApproval(core)).toMatchObject({ kind: "outcome" });
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human" });

  await decide(core, "approve", { answer: "done" });
  await core.quiet();
  expect(await stepStatuses(core)).toEqual(["done"]);
  expect(upstream.sent).toHaveLength(1);
});

test("an agent that is being ended has nothing more forwarded", async () => {
  const { core, upstream } = await aRunningExecution({}, UNCHECKED);
  await stopAgent(core, EXECUTOR, "cancelled");

  expect((await refusalOf(callOnce(core, WRITE))).code).toBe("STOP_REQUESTED");
  expect(upstream.sent).toEqual([]);
});

test("a tool that changed while its call was held is not called, and its approval stays good", async () => {
  const { core, upstream } = await aRunningExecution();
  const calling = refusalOf(call(core, WRITE));
  const { id } = await pendingApproval(core);
  const servers = upstream.servers().map((server) => ({
    ...server,
    tools: server.tools.map((tool) => ({ ...tool, hash: `another ${tool.hash}` })),
  }));
  Object.assign(upstream, { servers: () => servers });

  await decide(core, "approve");

  expect((await calling).code).toBe("TOOL_QUARANTINED");
  expect(upstream.sent).toEqual([]);
  expect(await core.store.getApproval(id)).toMatchObject({ usedAt: null });
});

test("a lost call whose question expired stays unknown: other arguments ask again", async () => {
  const { core, upstream } = await aRunningExecution({}, UNCHECKED);
  Object.assign(core.settings.tasks, { approvalExpiryMs: 1_000 });
  upstream.on(WRITE, failing("lost"));
  await refusalOf(call(core, WRITE, { rows: [1] }));
  core.advance(2_000);
  await expireApprovals(core);

  expect(await stepStatuses(core)).toEqual(["outcome_unknown"]);
  expect((await refusalOf(callOnce(core, WRITE, { rows: [1], again: 1 }))).code).toBe(
    "OUTCOME_UNKNOWN",
  );
  expect(upstream.sent).toHaveLength(1);
});
