import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { anAgent, NOON } from "../../../test/kit/builders.ts";
import {
  aGateway,
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
  type Running,
} from "../../../test/kit/execution.ts";
import { saying } from "../../../test/kit/fake-upstream.ts";
import { EXECUTOR } from "../../../test/kit/running-task.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { openSqliteStore } from "../../adapters/store/sqlite/sqlite-store.ts";
import { askHuman } from "./ask-human.ts";
import { recoverCalls } from "./recover-calls.ts";

const isReadOnly = ({ tool }: { tool: string }) => tool === "list_attendance";
const LATER = NOON + 60_000;

/** The daemon is gone in the middle of whatever it did; the next one finds its store. */
async function afterKill({ core }: Running) {
  const next = await aGateway({ store: core.store, now: LATER });
  await recoverCalls(next.core, isReadOnly);
  return next;
}

/** The upstream server has the call; its answer will be lost. */
async function inFlight(running: Running, tool: string, args = {}): Promise<void> {
  const sent = Promise.withResolvers<void>();
  running.upstream.on(tool, () => {
    sent.resolve();
    return new Promise(() => {});
  });
  void call(running.core, tool, args);
  await sent.promise;
}

test("a person is asked about a call that was in flight at a crash, and it is not repeated", async () => {
  const running = await aRunningExecution();
  await inFlight(running, "list_employees", { month: 9 });

  const { core, upstream } = await afterKill(running);

  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "outcome_unknown" }]);
  expect(await stepStatuses(core)).toEqual(["outcome_unknown", "waiting", "waiting"]);
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human" });
  expect(await refusalOf(callOnce(core, "list_employees", { month: 9 }))).toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  await decide(core, "approve", { answer: "done" });
  await callOnce(core, "list_employees", { month: 9 });
  expect(upstream.sent).toEqual([]);
});

test("a call that was lost in a crash is forwarded once more if a person decides to repeat it", async () => {
  const running = await aRunningExecution();
  await inFlight(running, "list_employees");

  const { core, upstream } = await afterKill(running);
  await decide(core, "approve", { answer: "repeat" });
  await callOnce(core, "list_employees");

  expect(upstream.sent).toHaveLength(1);
  const [first] = running.upstream.sent;
  expect(upstream.sent[0]?.idempotencyKey).toBe(first?.idempotencyKey);
});

test("an answer that was stored before a crash is returned again when the agent repeats the call", async () => {
  const running = await aRunningExecution();
  running.upstream.on("list_employees", saying("3人"));
  await call(running.core, "list_employees", { month: 9 });

  const { core, upstream } = await afterKill(running);
  const again = await call(core, "list_employees", { month: 9 });

  expect(textOf(again)).toBe("3人");
  expect(upstream.sent).toEqual([]);
  await call(core, "list_employees", { month: 10 });
  expect(upstream.sent).toHaveLength(1);
});

test("an answer that could not be given again because the disk ran full is given once there is room", async () => {
  const store = await openSqliteStore({ path: join(aTempDir(), "a.db"), maxPages: 400 });
  onTestFinished(() => store.close());
  const { core: dying, upstream: theirs } = await aRunningExecution({ store });
  theirs.on("list_employees", saying("3人"));
  await call(dying, "list_employees", { month: 9 });
  const { core, upstream } = await aGateway({ store, now: NOON + 60_000 });
  await recoverCalls(core, () => false);

  let refused: unknown;
  for (let lag = 0; refused === undefined && lag < 60; lag += 1) {
    core.calls.forget(EXECUTOR);
    const again = call(core, "list_employees", { month: 9 });
    for (let turn = 0; turn < lag; turn += 1) await Promise.resolve();
    const large = anAgent({ id: `large-${lag}-x` });
    const filling = store.transaction((unit) => unit.insertAgent(large, "x".repeat(4_000_000)));
    const [outcome] = await Promise.allSettled([again, filling]);
    if (outcome.status === "rejected") refused = outcome.reason;
  }

  expect(refused).toMatchObject({ code: "STORE_FULL" });
  expect(textOf(await call(core, "list_employees", { month: 9 }))).toContain("3人");
  expect(upstream.sent).toEqual([]);
});

test("a checked call whose answer was stored is not asked about again after a restart", async () => {
  const running = await aRunningExecution();
  await refusalOf(callOnce(running.core, WRITE));
  await decide(running.core, "approve");
  await call(running.core, WRITE);

  const { core, upstream } = await afterKill(running);
  await call(core, WRITE);

  expect(upstream.sent).toEqual([]);
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a call that was held at a crash continues to wait when repeated, and passes when approved", async () => {
  const running = await aRunningExecution();
  void refusalOf(call(running.core, WRITE, { rows: 1 }));
  await pendingApproval(running.core);

  const { core, upstream } = await afterKill(running);
  const calling = call(core, WRITE, { rows: 1 });
  await core.quiet();
  expect(await pendingApprovals(core)).toHaveLength(1);
  await decide(core, "approve");
  await calling;

  expect(upstream.sent).toHaveLength(1);
});

test("a call that was approved but not forwarded before a crash passes once", async () => {
  const running = await aRunningExecution();
  await refusalOf(callOnce(running.core, WRITE));
  await decide(running.core, "approve");

  const { core, upstream } = await afterKill(running);
  await call(core, WRITE);
  expect(await refusalOf(callOnce(core, WRITE))).toMatchObject({ code: "APPROVAL_PENDING" });

  expect(upstream.sent).toHaveLength(1);
});

test("a question that was open at a crash is found again when the agent repeats it", async () => {
  const running = await aRunningExecution();
  const question = {
    question: "どの月ですか",
    choices: [],
    signal: new AbortController().signal,
    patienceMs: 0,
    beat: () => {},
  };
  await refusalOf(askHuman(running.core, agent(EXECUTOR), question));

  const { core } = await afterKill(running);
  await decide(core, "approve", { answer: "9月" });

  expect(await askHuman(core, agent(EXECUTOR), question)).toEqual({
    answer: "9月",
    answeredBy: "local",
  });
});

test("a read-only call that was in flight at a crash has failed, without a question to a person", async () => {
  const running = await aRunningExecution({}, { steps: [aStep(1, { tool: "list_attendance" })] });
  await inFlight(running, "list_attendance");

  const { core, upstream } = await afterKill(running);

  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "failed" }]);
  expect(await pendingApprovals(core)).toEqual([]);
  await call(core, "list_attendance");
  expect(upstream.sent).toHaveLength(1);
});

test("the recovery does not treat calls of the current daemon as lost", async () => {
  const running = await aRunningExecution();
  await inFlight(running, "list_employees");

  expect(await recoverCalls(running.core, isReadOnly)).toBe(0);

  expect(await pendingApprovals(running.core)).toEqual([]);
});

test("repeating the recovery of calls asks a person only once", async () => {
  const running = await aRunningExecution();
  await inFlight(running, "list_employees");
  const { core } = await afterKill(running);

  expect(await recoverCalls(core, isReadOnly)).toBe(0);

  expect(await pendingApprovals(core)).toHaveLength(1);
});
