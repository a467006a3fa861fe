import { expect, test } from "vitest";
import { aGroup, aProcessDraft, aPromptDraft, aTask } from "../../../../test/kit/builders.ts";
import { ended, someProgress, started, type TestCore } from "../../../../test/kit/core.ts";
import {
  agent,
  aGateway,
  aRunningExecution,
  call,
  callOnce,
  decide,
  pendingApprovals,
  refusalOf,
  stepStatuses,
  textOf,
  theExecution,
  WRITE,
  type Gateway,
} from "../../../../test/kit/execution.ts";
import { failing, held, saying } from "../../../../test/kit/fake-upstream.ts";
import { aTaskAgent, EXECUTOR } from "../../../../test/kit/running-task.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { readInputBlock, type ExecutionInput } from "../../../domain/tasks/drafting.ts";
import { reportCompleted } from "../../agents/report-completed.ts";
import { reportResult } from "../../agents/report-result.ts";
import { stopOrphanedAgents } from "../../agents/stop-orphaned-agents.ts";
import { LOCAL_USER, type Core } from "../../core.ts";
import { changeTaskStatus } from "../change-task-status.ts";
import { retryTask } from "../retry-task.ts";
import { advanceExecution } from "./advance-execution.ts";
import { saveExecution } from "./execution-event.ts";
import { insertExecution } from "./insert-execution.ts";

/** A task whose process has just been approved. */
async function anApprovedTask(over: Parameters<typeof aGateway>[0] = {}): Promise<Gateway> {
  const gateway = await aGateway(over);
  const { core } = gateway;
  const task = aTask({
    status: "awaiting_process_approval",
    title: "残業時間の集計",
    description: "9月分",
    type: "集計",
    promptId: "prm-01",
    processId: "prc-01",
  });
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    await unit.insertTask(task);
    await unit.insertPromptDraft(aPromptDraft());
    await unit.insertProcessDraft(aProcessDraft());
    await insertExecution(core, unit, task, "process_approved");
  });
  return gateway;
}

async function theTask(core: Core) {
  const task = await core.store.getTask("task-01");
  if (!task) throw new Error("there is a task");
  return task;
}

async function advance(core: TestCore): Promise<void> {
  await advanceExecution(core, await theTask(core));
  await core.quiet();
}

const executors = async (core: Core) =>
  (await core.store.listTaskAgents("task-01")).filter(({ role }) => role === "executor");

async function newest(core: Core) {
  const execution = (await core.store.listExecutions("task-01")).at(-1);
  if (!execution) throw new Error("there is an execution");
  return execution;
}

async function inputOf(core: Core, agentId: AgentId): Promise<ExecutionInput> {
  return JSON.parse(readInputBlock(await core.store.getPrompt(agentId)) ?? "");
}

/** The newest executor is running. */
async function running(core: TestCore): Promise<AgentId> {
  const last = (await executors(core)).at(-1);
  if (!last) throw new Error("there is an executor");
  await core.observe(started(last.id));
  return last.id;
}

const BLOCK = { taskId: "task-01", status: "blocked" } as const;
const UNBLOCK = { taskId: "task-01", status: "in_progress" } as const;

test("an executor that another server starts meanwhile is not taken for one that has ended", async () => {
  const { core } = await anApprovedTask();
  const getAgents: Core["store"]["getAgents"] = async (ids) => {
    const found = await core.store.getAgents(ids);
    await advance(core);
    return found;
  };

  await advanceExecution({ ...core, store: { ...core.store, getAgents } }, await theTask(core));
  await core.quiet();

  expect(await newest(core)).toMatchObject({ status: "running", error: null });
  expect(await executors(core)).toHaveLength(1);
});

test("an approved process gets an executor in the task's group, with a slot of its own", async () => {
  const { core } = await anApprovedTask();

  await advance(core);

  const [agentRow] = await executors(core);
  expect(agentRow).toMatchObject({
    groupId: aGroup().id,
    slot: "orchestrator",
    taskId: "task-01",
    executionId: (await newest(core)).id,
  });
  expect(await newest(core)).toMatchObject({
    status: "running",
    attempt: 1,
    agentId: agentRow?.id,
    agentIds: [agentRow?.id],
  });
  expect(await theTask(core)).toMatchObject({ status: "in_progress" });
  expect(core.launches).toMatchObject([{ agentId: agentRow?.id }]);
});

test("the executor's prompt contains the steps, how to call their tools, and what was approved", async () => {
  const { core } = await anApprovedTask();
  await advance(core);
  const input = await inputOf(core, await running(core));

  expect(input).toMatchObject({
    stage: "execution",
    request: "9月分の残業時間を集計して",
    prompt: aPromptDraft().content,
    attempt: 1,
    unplanned: [],
    decisions: [],
  });
  expect(input.steps[2]).toMatchObject({
    id: "step-3",
    tool: `hr/${WRITE}`,
    call: WRITE,
    requiresHumanCheck: true,
    status: "waiting",
    results: [],
    inputSchema: { type: "object" },
  });
});

test("concurrent advances start only one executor", async () => {
  const { core } = await anApprovedTask();
  const task = await theTask(core);

  await Promise.all(Array.from({ length: 10 }, () => advanceExecution(core, task)));
  await core.quiet();

  expect(await executors(core)).toHaveLength(1);
  expect(core.launches).toHaveLength(1);
});

test("a reported success completes the execution, the task and the running steps", async () => {
  const { core } = await aRunningExecution();
  await call(core, "list_employees");

  const said = await reportCompleted(core, agent(EXECUTOR), {
    result: "success",
    summary: "書けた",
  });

  expect(said.execution).toMatchObject({ status: "completed", summary: "書けた" });
  expect(await theTask(core)).toMatchObject({ status: "completed" });
  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
  expect(await core.store.getResult(EXECUTOR)).toMatchObject({
    status: "success",
    outcome: "success",
  });
});

test("an executor's report_result counts as report_completed", async () => {
  const { core } = await aRunningExecution();

  await reportResult(core, agent(EXECUTOR), {
    agentId: EXECUTOR,
    report: {
      status: "failure",
      summary: "だめだった",
      response: "",
      editedFiles: [],
      createdFiles: [],
      errorMessage: "権限がない",
    },
  });

  expect(await theExecution(core)).toMatchObject({ status: "failed", error: "権限がない" });
  expect(await theTask(core)).toMatchObject({
    status: "failed",
    failure: { stage: "execution", message: "権限がない" },
  });
});

test("the end of an execution stops the agents it had started, and only those", async () => {
  const { core } = await aRunningExecution();
  await core.store.transaction((unit) =>
    unit.insertGroup(aGroup({ id: "grp-1794733200-c1c1", parentGroupId: aGroup().id })),
  );
  const child = await aTaskAgent(core, {
    id: "impl-code-1794733200-0009",
    groupId: "grp-1794733200-c1c1",
  });

  await reportCompleted(core, agent(EXECUTOR), { result: "success" });

  expect(core.stops).toMatchObject([{ agentId: child }]);
});

test("agents whose execution ended just before the daemon died are stopped by the next daemon", async () => {
  const { core } = await aRunningExecution({}, { execution: { status: "failed" } });
  const child = await aTaskAgent(core, { id: "impl-code-1794733200-0009" });
  const other = { id: "impl-code-1794733200-0010", taskId: null, executionId: null } as const;
  await aTaskAgent(core, other);

  await stopOrphanedAgents(core);

  expect(core.stops).toMatchObject([{ agentId: child }]);
});

test("an executor's repeated report changes nothing, and a different one is refused", async () => {
  const { core } = await aRunningExecution();
  await reportCompleted(core, agent(EXECUTOR), { result: "success", summary: "a" });
  const before = await core.store.lastEventSeq();

  await reportCompleted(core, agent(EXECUTOR), { result: "success", summary: "a" });
  expect(await core.store.lastEventSeq()).toBe(before);

  const other = reportCompleted(core, agent(EXECUTOR), { result: "failure", summary: "b" });
  await expect(other).rejects.toMatchObject({ code: "RESULT_ALREADY_REPORTED" });
  expect(await theExecution(core)).toMatchObject({ status: "completed" });
  expect(await theTask(core)).toMatchObject({ status: "completed" });
});

test("an executor that ends without a report fails the execution with its error", async () => {
  const { core } = await aRunningExecution();
  await call(core, "list_employees");

  await core.observe(
    ended(EXECUTOR, { exitCode: 3, stderrTail: "boom", progress: someProgress({ end: null }) }),
  );
  await core.quiet();

  expect(await theExecution(core)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("boom"),
  });
  expect(await stepStatuses(core)).toEqual(["failed", "waiting", "waiting"]);
  expect(await theTask(core)).toMatchObject({
    status: "failed",
    failure: { stage: "execution", message: expect.stringContaining("boom") },
  });
});

test("an executor that could not be started fails the execution visibly", async () => {
  const { core } = await anApprovedTask();
  core.installed.clear();

  await advance(core);

  expect(await newest(core)).toMatchObject({ status: "failed" });
  expect(await theTask(core)).toMatchObject({ status: "failed", failure: { stage: "execution" } });
});

test("an execution whose executor ends while an approval is pending is parked; the decision starts the next executor", async () => {
  const { core } = await aRunningExecution();
  await call(core, "list_employees", { month: 9 });
  expect(await refusalOf(callOnce(core, WRITE, { rows: [3] }))).toMatchObject({
    code: "APPROVAL_PENDING",
  });

  await core.observe(ended(EXECUTOR, { progress: someProgress({ sessionId: "talk-1" }) }));
  await core.quiet();
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human", agentId: null });
  expect(await executors(core)).toHaveLength(1);
  await decide(core, "approve");
  await core.quiet();

  const [, next] = await executors(core);
  expect(next).toMatchObject({ executionId: "exe-01", resumeSession: "talk-1" });
  expect(await theExecution(core)).toMatchObject({
    status: "running",
    agentId: next?.id,
    agentIds: [EXECUTOR, next?.id],
  });
  const input = await inputOf(core, next?.id ?? EXECUTOR);
  expect(input.steps[0]).toMatchObject({
    status: "running",
    results: [{ args: { month: 9 }, text: "ok" }],
  });
  expect(input.decisions).toEqual([expect.stringContaining('{"rows":[3]}')]);
});

test("an execution is parked although another server stores an answer when its executor ends", async () => {
  const { core, task } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await core.store.transaction(async (unit) => {
    const executor = await unit.getAgent(EXECUTOR);
    if (executor)
      await unit.updateAgent({ ...executor, status: "lost", process: "ended" }, executor);
  });
  const listApprovals: Core["store"]["listApprovals"] = async (query) => {
    const found = await core.store.listApprovals(query);
    const execution = await theExecution(core);
    await core.store.transaction((unit) => saveExecution(core, unit, execution, execution));
    return found;
  };

  await advanceExecution({ ...core, store: { ...core.store, listApprovals } }, task);
  await core.quiet();

  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human", agentId: null });
});

test("the next executor repeats the call, and the approval lets it through", async () => {
  const { core, upstream } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await decide(core, "approve");
  await core.quiet();

  await call(core, WRITE, {}, { identity: agent(await running(core)) });

  expect(upstream.sent).toHaveLength(1);
});

test("a verdict of waiting without a pending approval fails the execution instead of looping", async () => {
  const { core } = await aRunningExecution();

  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();

  expect(await theExecution(core)).toMatchObject({
    status: "failed",
    error: expect.stringContaining("it had asked for no decision"),
  });
  expect(await executors(core)).toHaveLength(1);
});

test("a verdict of waiting for an approval that is already decided starts the next executor", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await decide(core, "approve");

  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await core.quiet();

  expect(await executors(core)).toHaveLength(2);
});

test("no executor is started while the last one has not ended", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await decide(core, "approve");
  await core.quiet();
  expect(await executors(core)).toHaveLength(1);

  await core.observe(ended(EXECUTOR));
  await core.quiet();
  expect(await executors(core)).toHaveLength(2);
});

test("an executor that stays after it was parked is stopped", async () => {
  const { core } = await aRunningExecution();
  Object.assign(core.settings, { lingerMs: 0 });
  await refusalOf(callOnce(core, WRITE));
  core.advance(core.settings.tasks.holdForMs);
  expect(await refusalOf(call(core, WRITE))).toMatchObject({ code: "PARKED" });

  await expect.poll(() => core.stops).toMatchObject([{ agentId: EXECUTOR }]);
});

test("a rejected step fails the execution although its executor reports success", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await decide(core, "reject", { reason: "宛先が違う" });

  await reportCompleted(core, agent(EXECUTOR), { result: "success", summary: "全部できた" });

  expect(await theExecution(core)).toMatchObject({
    status: "failed",
    summary: "全部できた",
    error: expect.stringContaining("宛先が違う"),
  });
});

test("a parked execution whose step is rejected fails without another executor", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await decide(core, "reject", { reason: "やめて" });
  await core.quiet();

  expect(await theExecution(core)).toMatchObject({ status: "failed" });
  expect(await executors(core)).toHaveLength(1);
});

test("an execution completes if a person chose to skip the rejected step, and the next executor's prompt says so", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));
  await reportCompleted(core, agent(EXECUTOR), { result: "waiting" });
  await core.observe(ended(EXECUTOR));
  await decide(core, "reject", { reason: "不要", onReject: "skip" });
  await core.quiet();

  const next = await running(core);
  const input = await inputOf(core, next);
  expect(input.steps[2]).toMatchObject({ status: "rejected" });
  expect(input.decisions).toEqual([expect.stringContaining("不要")]);
  await reportCompleted(core, agent(next), { result: "success" });
  expect(await theTask(core)).toMatchObject({ status: "completed" });
  expect(await stepStatuses(core)).toEqual(["waiting", "waiting", "rejected"]);
});

test("the report of a blocked executor settles the execution, and the next one keeps the steps that are done", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", saying("社員3人", { structuredContent: { n: 3 } }));
  await call(core, "list_employees");
  await call(core, "calculate_overtime");
  await changeTaskStatus(core, LOCAL_USER, BLOCK);
  expect(await theExecution(core)).toMatchObject({ status: "stopping" });

  await reportCompleted(core, agent(EXECUTOR), { result: "blocked" });
  expect(await theExecution(core)).toMatchObject({ status: "blocked" });
  expect(await stepStatuses(core)).toEqual(["done", "stopped", "waiting"]);
  expect(await core.store.listStopNotifications(EXECUTOR)).toEqual([]);
  expect(await theTask(core)).toMatchObject({ status: "blocked" });

  await core.observe(ended(EXECUTOR));
  await changeTaskStatus(core, LOCAL_USER, UNBLOCK);
  await core.quiet();
  const next = await newest(core);
  expect(next).toMatchObject({ attempt: 2, status: "running" });
  expect(next.steps.map(({ status }) => status)).toEqual(["done", "waiting", "waiting"]);
  const input = await inputOf(core, await running(core));
  expect(input.steps[0]?.results).toEqual([
    { args: {}, structuredContent: { n: 3 }, text: "社員3人" },
  ]);
});

test("the next execution of an unblocked task waits until the previous one has ended", async () => {
  const { core } = await aRunningExecution();
  await call(core, "list_employees");
  await changeTaskStatus(core, LOCAL_USER, BLOCK);
  await changeTaskStatus(core, LOCAL_USER, UNBLOCK);
  await core.quiet();
  expect(await newest(core)).toMatchObject({ attempt: 2, status: "queued" });
  expect(await executors(core)).toHaveLength(1);

  await core.observe(ended(EXECUTOR));
  await core.quiet();

  expect(await theExecution(core)).toMatchObject({ status: "blocked" });
  expect(await newest(core)).toMatchObject({ attempt: 2, status: "running" });
  expect(await executors(core)).toHaveLength(2);
});

test("the next attempt waits for every agent of the attempt before, not only for its executor", async () => {
  const { core } = await aRunningExecution();
  const { id: executionId } = await theExecution(core);
  const child = await aTaskAgent(core, { id: "impl-code-1794733200-0009", executionId });
  await changeTaskStatus(core, LOCAL_USER, BLOCK);
  await changeTaskStatus(core, LOCAL_USER, UNBLOCK);

  await core.observe(ended(EXECUTOR));
  await core.quiet();
  expect(await newest(core)).toMatchObject({ attempt: 2, status: "queued" });

  await core.observe(ended(child));
  await core.quiet();
  expect(await newest(core)).toMatchObject({ attempt: 2, status: "running" });
});

test("an interrupted executor that ends without a report leaves its execution blocked or cancelled", async () => {
  for (const status of ["blocked", "cancelled"] as const) {
    const { core } = await aRunningExecution();
    await call(core, "list_employees");
    await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status });

    await core.observe(ended(EXECUTOR, { exitCode: 1 }));
    await core.quiet();

    expect(await theExecution(core)).toMatchObject({ status });
    expect(await stepStatuses(core)).toEqual(["stopped", "waiting", "waiting"]);
    expect(await theTask(core)).toMatchObject({ status });
  }
});

test("a success reported after the block is kept, and the task stays blocked", async () => {
  const { core } = await aRunningExecution();
  await changeTaskStatus(core, LOCAL_USER, BLOCK);

  await reportCompleted(core, agent(EXECUTOR), { result: "success", summary: "間に合った" });

  expect(await theExecution(core)).toMatchObject({ status: "completed", summary: "間に合った" });
  expect(await theTask(core)).toMatchObject({ status: "blocked" });
});

test("an executor that reports blocked on its own blocks its task, and a person can unblock it", async () => {
  const { core } = await aRunningExecution();

  await reportCompleted(core, agent(EXECUTOR), { result: "blocked", summary: "鍵がない" });
  expect(await theExecution(core)).toMatchObject({ status: "blocked" });
  expect(await theTask(core)).toMatchObject({ status: "blocked", statusReason: "鍵がない" });

  await core.observe(ended(EXECUTOR));
  await changeTaskStatus(core, LOCAL_USER, UNBLOCK);
  await core.quiet();
  expect(await executors(core)).toHaveLength(2);
});

test("an unknown outcome and its pending approval move to the next execution", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing("lost"));
  await refusalOf(call(core, "list_employees"));
  await reportCompleted(core, agent(EXECUTOR), { result: "failure" });
  await core.observe(ended(EXECUTOR));
  expect(await pendingApprovals(core)).toMatchObject([{ kind: "outcome", executionId: "exe-01" }]);

  await retryTask(core, LOCAL_USER, "task-01");
  await core.quiet();
  const next = await newest(core);
  expect(next.steps[0]).toMatchObject({ status: "outcome_unknown" });
  expect(await pendingApprovals(core)).toMatchObject([{ executionId: next.id }]);
  upstream.on("list_employees", saying("ok"));
  const identity = agent(await running(core));
  expect(
    await refusalOf(call(core, "list_employees", {}, { identity, patienceMs: 0 })),
  ).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  await decide(core, "approve", { answer: "done" });

  expect(textOf(await call(core, "list_employees", {}, { identity }))).toContain("took effect");
  expect(await stepStatuses(core, next.id)).toEqual(["done", "waiting", "waiting"]);
  expect(upstream.sent).toHaveLength(1);
});

test("an outcome decided before the retry is known to the next execution", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing("lost"));
  await refusalOf(call(core, "list_employees"));
  await reportCompleted(core, agent(EXECUTOR), { result: "failure" });
  await core.observe(ended(EXECUTOR));
  await decide(core, "approve", { answer: "done" });

  await retryTask(core, LOCAL_USER, "task-01");
  await core.quiet();

  expect((await newest(core)).steps[0]).toMatchObject({ status: "done" });
});

test("an answer that arrives after the execution was settled is still recorded", async () => {
  const { core, upstream } = await aRunningExecution();
  const slow = held();
  upstream.on("list_employees", slow.reply);
  const calling = call(core, "list_employees");
  await core.quiet();

  await reportCompleted(core, agent(EXECUTOR), { result: "failure" });
  expect(await stepStatuses(core)).toEqual(["outcome_unknown", "waiting", "waiting"]);
  slow.letGo();
  await calling;

  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a client without a token may report for an agent and must name the agent", async () => {
  const { core } = await aRunningExecution();
  const main = { kind: "client", cwd: "/", keys: {} } as const;

  expect(await refusalOf(reportCompleted(core, main, { result: "success" }))).toMatchObject({
    code: "INVALID_ARGUMENTS",
  });
  await reportCompleted(core, main, { result: "success", agentId: EXECUTOR });

  expect(await theTask(core)).toMatchObject({ status: "completed" });
});

test("an agent cannot report for another agent", async () => {
  const { core } = await aRunningExecution();
  const other = await aTaskAgent(core);

  const act = reportCompleted(core, agent(other, "impl-code"), {
    result: "success",
    agentId: EXECUTOR,
  });

  expect(await refusalOf(act)).toMatchObject({ code: "NOT_YOUR_AGENT" });
});

test("the report of an executor's sub-agent does not end the execution", async () => {
  const { core } = await aRunningExecution();
  const child = await aTaskAgent(core);

  await reportCompleted(core, agent(child, "impl-code"), { result: "success" });

  expect(await theExecution(core)).toMatchObject({ status: "running" });
  expect(await core.store.getResult(child)).toMatchObject({ outcome: "success" });
});

test("a call that an earlier execution made gets its stored answer; other calls are forwarded", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", saying("3人"));
  await call(core, "list_employees", { team: "a" });
  await changeTaskStatus(core, LOCAL_USER, BLOCK);
  await reportCompleted(core, agent(EXECUTOR), { result: "blocked" });
  await core.observe(ended(EXECUTOR));
  await changeTaskStatus(core, LOCAL_USER, UNBLOCK);
  await core.quiet();
  const next = await running(core);
  await core.observe(started(next));
  const before = upstream.sent.length;

  const again = await call(core, "list_employees", { team: "a" }, { identity: agent(next) });
  await call(core, "list_employees", { team: "b" }, { identity: agent(next) });

  expect(again.content).toEqual([{ type: "text", text: "3人" }]);
  expect(upstream.sent.slice(before).map(({ args }) => args)).toEqual([{ team: "b" }]);
});
