import { expect, onTestFinished, test, vi } from "vitest";
import { aFreeAgent, callsOf, DELETE } from "../../../test/kit/agent-call.ts";
import {
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
  WRITE,
} from "../../../test/kit/execution.ts";
import { failing, saying, type FakeUpstream } from "../../../test/kit/fake-upstream.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";

const full = new Refusal("STORE_FULL", {
  en: ["The disk is full.", "Free some space."],
  ja: ["The disk is full.", "Free some space."],
});

/** The same core on a store whose next transactions fail on request. */
function onFailingStore(core: Core) {
  let left = 0;
  let error: Error = full;
  const transaction: Core["store"]["transaction"] = (work) => {
    if (left === 0) return core.store.transaction(work);
    left -= 1;
    return Promise.reject(error);
  };
  return {
    core: { ...core, store: { ...core.store, transaction } },
    left: () => left,
    fail: (times: number, why: Error) => void ([left, error] = [times, why]),
  };
}

/** Runs the pauses at once. */
function withoutPauses(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const ticking = setInterval(() => void vi.advanceTimersByTime(60_000), 1);
  onTestFinished(() => {
    clearInterval(ticking);
    vi.useRealTimers();
  });
}

function losingAfter(upstream: FakeUpstream, tool: string, before: () => void): void {
  upstream.on(tool, async (sent) => {
    before();
    return failing("lost")(sent);
  });
}

// More than an error without a cure gets: the disk stays full for long.
test.each([
  ["a disk that is full for a while", 30, full],
  ["an error that passes", 3, new Error("database is locked")],
])("a lost call meets %s: its end is stored later, and a person is asked", async (_, n, why) => {
  withoutPauses();
  const running = await aRunningExecution({}, { steps: [aStep(1, { tool: WRITE })] });
  const { upstream } = running;
  const { core, fail } = onFailingStore(running.core);
  losingAfter(upstream, WRITE, () => fail(n, why));

  expect(await refusalOf(call(core, WRITE, { a: 1 }))).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(await pendingApprovals(core)).toMatchObject([{ kind: "outcome" }]);
  expect(await stepStatuses(core)).toEqual(["outcome_unknown"]);

  expect(await refusalOf(callOnce(core, WRITE, { a: 1 }))).toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  expect(upstream.sent).toHaveLength(1);
});

test("while the end of a call waits for the disk, the same call waits with it and gets its answer", async () => {
  const running = await aRunningExecution({}, { steps: [aStep(1, { tool: WRITE })] });
  const { upstream } = running;
  const { core, fail, left } = onFailingStore(running.core);
  upstream.on(WRITE, async (sent) => {
    fail(1, full);
    return saying("first")(sent);
  });

  const first = call(core, WRITE, { a: 1 });
  await vi.waitFor(() => expect([upstream.sent.length, left()]).toEqual([1, 0]), {
    interval: 5,
    timeout: 60_000,
  });
  const second = call(core, WRITE, { a: 1 });

  expect([textOf(await first), textOf(await second)]).toEqual(["first", "first"]);
  expect(upstream.sent).toHaveLength(1);
});

test("a call of a task whose end could not be stored is not sent again: a person is asked", async () => {
  withoutPauses();
  const running = await aRunningExecution({}, { steps: [aStep(1, { tool: WRITE }), aStep(2)] });
  const { upstream } = running;
  const { core, fail } = onFailingStore(running.core);
  losingAfter(upstream, WRITE, () => fail(10, new Error("disk I/O error")));

  await refusalOf(call(core, WRITE, { a: 1 }));
  upstream.on(WRITE, saying("ok"));
  const again = await refusalOf(callOnce(core, WRITE, { a: 1 }));

  expect(again).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(upstream.sent).toHaveLength(1);
  expect(await pendingApprovals(core)).toMatchObject([{ kind: "outcome" }]);
  expect(await stepStatuses(core)).toEqual(["outcome_unknown", "waiting"]);
  await decide(core, "approve", { answer: "done" });
  expect(textOf(await call(core, WRITE, { a: 1 }))).toContain("took effect");
  expect(await stepStatuses(core)).toEqual(["done", "waiting"]);
});

test("a call whose end could not be stored does not keep its step from being done", async () => {
  withoutPauses();
  const running = await aRunningExecution({}, { steps: [aStep(1, { tool: WRITE })] });
  const { upstream } = running;
  const { core, fail } = onFailingStore(running.core);
  upstream.on(WRITE, async (sent) => {
    if (upstream.sent.length === 1) fail(10, new Error("disk I/O error"));
    return saying("ok")(sent);
  });

  await call(core, WRITE, { a: 1 });
  await refusalOf(callOnce(core, WRITE, { a: 2 }));
  await decide(core, "approve", { answer: "done" });

  expect(await stepStatuses(core)).toEqual(["done"]);
  expect(await core.store.listForwardedToolCalls()).toEqual([]);
});

test("outside a task, too, a call whose end could not be stored is not sent again", async () => {
  withoutPauses();
  const free = await aFreeAgent();
  const { upstream, agentId } = free;
  const { core, fail } = onFailingStore(free.core);
  const calls = callsOf(core, agentId);
  losingAfter(upstream, DELETE, () => fail(10, new Error("disk I/O error")));

  const first = refusalOf(calls.callTool(DELETE, { a: 1 }));
  await pendingApproval(core);
  await decide(core, "approve", { scope: "any_arguments" });
  await first;
  upstream.on(DELETE, saying("ok"));
  const again = await refusalOf(calls.callOnce(DELETE, { a: 1 }));

  expect(again).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(upstream.sent).toHaveLength(1);
  expect(await pendingApprovals(core)).toMatchObject([{ kind: "outcome", agentId }]);
});
