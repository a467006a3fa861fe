import { expect, test } from "vitest";
import { ended, started } from "../../test/kit/core.ts";
import { aRunningExecution, aStep, call, callOnce, decide, pendingApproval, pendingApprovals, refusalOf, stepStatuses, theExecution, WRITE, agent } from "../../test/kit/execution.ts";
import { failing, held, saying } from "../../test/kit/fake-upstream.ts";
import { EXECUTOR, aTaskAgent } from "../../test/kit/running-task.ts";
import { askHuman } from "./ask-human.ts";
import { decideApproval } from "./decide-approval.ts";
import { LOCAL_USER } from "./core.ts";
import { reportCompleted } from "./report-completed.ts";
import { changeTaskStatus } from "./change-task-status.ts";
import { purgeHistory } from "./purge-history.ts";
import { retryTask } from "./retry-task.ts";

const steps = [aStep(1, { tool: WRITE })];
const checked = [aStep(1, { tool: WRITE, requiresHumanCheck: true })];
const tick = async () => { for (let i = 0; i < 50; i++) await new Promise((d) => setImmediate(d)); };
const ask = (core, id, over = {}) => askHuman(core, agent(id, "impl-code"), { question: "?", choices: [], signal: new AbortController().signal, patienceMs: 0, beat: () => {}, ...over });

test("R5 question of an agent on no execution is closed when the agent ends", async () => {
  const { core } = await aRunningExecution();
  const id = await aTaskAgent(core, { taskId: null, executionId: null });
  await ask(core, id).catch(() => {});
  await core.observe(ended(id));
  await core.quiet();
  core.advance(400 * 86_400_000);
  await purgeHistory(core, 30);
  console.log("R5", (await core.store.getAgent(id))?.process, (await pendingApprovals(core)).map((a) => [a.kind, a.expiresAt]), await core.store.countPendingApprovals());
  expect(await pendingApprovals(core)).toEqual([]);
});
test("R6 second of two identical held calls goes away while the first is under way: nobody is asked again", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps: checked });
  const slow = held();
  upstream.on(WRITE, slow.reply);
  const gone = new AbortController();
  const a = call(core, WRITE, { rows: [1] });
  const b = call(core, WRITE, { rows: [1] }, { signal: gone.signal });
  await tick();
  await decide(core, "approve");
  await tick();
  gone.abort();
  await tick();
  const r = await Promise.allSettled([b]);
  slow.letGo();
  const ra = await Promise.allSettled([a]);
  console.log("R6", r[0]?.status, (r[0] as never as { reason?: { code: string } }).reason?.code, ra[0]?.status, upstream.sent.length, (await pendingApprovals(core)).map((x) => x.kind), (await theExecution(core)).status);
  expect(await pendingApprovals(core)).toEqual([]);
});
test("R8 a parallel call of an earlier step that fails is not shown as done", async () => {
  const { core, upstream } = await aRunningExecution();
  const slow = Promise.withResolvers<void>();
  upstream.on("list_employees", async (c) => { await slow.promise; return saying("boom", { isError: true })(c); });
  const a = call(core, "list_employees");
  await tick();
  await call(core, "calculate_overtime");
  slow.resolve();
  await a;
  console.log("R8", await stepStatuses(core), (await core.store.listToolCalls("exe-01")).map((c) => [c.tool, c.status]));
  expect((await stepStatuses(core))[0]).toBe("failed");
});
test("R7 decided between the executor's end and the look: goes on", async () => {
  const { core } = await aRunningExecution({}, { steps: checked });
  await refusalOf(callOnce(core, WRITE, { rows: [1] }));
  // the executor ends its turn without a word; the person approves before its process is gone
  await decide(core, "approve");
  await core.observe(ended(EXECUTOR));
  await core.quiet();
  console.log("R7", (await theExecution(core)).status, (await theExecution(core)).error, (await core.store.getTask("task-01"))?.status);
  expect((await core.store.getTask("task-01"))?.status).toBe("in_progress");
});
test("R9 requester policy, local person, question of an agent on no task", async () => {
  const { core } = await aRunningExecution();
  Object.assign(core.settings.tasks.approvals, { question: { who: "requester" } });
  const id = await aTaskAgent(core, { taskId: null, executionId: null });
  await ask(core, id).catch(() => {});
  const r = await decide(core, "approve", { answer: "yes" }).then(() => "ok", (e) => e.code + " " + e.message + " " + e.hint);
  expect(r).toBe("ok");
});
test("R10 half a step done, then blocked: next attempt", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  await call(core, WRITE, { rows: [1] });
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });
  await reportCompleted(core, agent(EXECUTOR), { result: "blocked" });
  await core.observe(ended(EXECUTOR));
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "in_progress" });
  await core.quiet();
  const ex = (await core.store.listExecutions("task-01")).at(-1);
  const last = (await core.store.listTaskAgents("task-01")).at(-1);
  await core.observe(started(last!.id));
  const r = await call(core, WRITE, { rows: [2] }, { identity: agent(last!.id), patienceMs: 0 }).then(() => "sent", (e) => e.code);
  console.log("R10", ex?.steps.map((s) => s.status), "second half of the step:", r);
});
test("R11 a failed task is forgotten after its time", async () => {
  const { core } = await aRunningExecution();
  await reportCompleted(core, agent(EXECUTOR), { result: "failure", summary: "x" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();
  core.advance(400 * 86_400_000);
  await purgeHistory(core, 30);
  await purgeHistory(core, 30);
  console.log("R11", (await core.store.getTask("task-01"))?.status, (await core.store.listGroups({ view: "active", limit: 10 })).groups.length);
  expect(await core.store.getTask("task-01")).toBeUndefined();
});
test("R12 a killed agent (cancel) has nothing more forwarded", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  const { stopAgent } = await import("./stop-agent.ts");
  await stopAgent(core, EXECUTOR, "cancelled");
  const r = await callOnce(core, WRITE, { rows: [1] }).then(() => "SENT", (e) => e.code);
  console.log("R12", r);
  expect(upstream.sent).toHaveLength(0);
});
test("R13 late word of an earlier executor does not end the execution under the next one", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps: checked });
  await refusalOf(callOnce(core, WRITE, { rows: [1] }));
  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();
  await decide(core, "approve");
  await core.quiet();
  console.log("R13 before", (await theExecution(core)).agentIds.length);
  const r = await reportCompleted(core, { kind: "main", cwd: "/", keys: {} }, { result: "success", agentId: EXECUTOR }).then(() => "taken", (e) => e.code);
  console.log("R13", r, (await theExecution(core)).status, (await core.store.getTask("task-01"))?.status);
});
