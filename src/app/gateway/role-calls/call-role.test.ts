import { expect, test, vi } from "vitest";
import { aGroup, NOON } from "../../../../test/kit/builders.ts";
import { aRole, ended, someProgress, started, type TestCore } from "../../../../test/kit/core.ts";
import {
  aGateway,
  agent,
  aRunningExecution,
  aStep,
  call,
  decide,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  stepStatuses,
  theExecution,
  WRITE,
} from "../../../../test/kit/execution.ts";
import { aTaskAgent, EXECUTOR } from "../../../../test/kit/running-task.ts";
import type { Agent } from "../../../domain/agents/agent.ts";
import { reportCompleted } from "../../agents/report-completed.ts";
import { reportResult } from "../../agents/report-result.ts";
import { LOCAL_USER, type Core, type Identity } from "../../core.ts";
import { changeTaskStatus } from "../../tasks/change-task-status.ts";
import { callRole, roleCallTools } from "./call-role.ts";

const STEPS = [aStep(1, { server: null, tool: "agent:impl-code" }), aStep(2)];

function run(
  core: Core,
  over: { prompt?: string; patienceMs?: number; identity?: Identity; args?: object } = {},
) {
  return callRole(core, over.identity ?? agent(EXECUTOR), {
    name: "agent_impl-code",
    args: { prompt: over.prompt ?? "実装して", ...over.args },
    signal: new AbortController().signal,
    patienceMs: over.patienceMs ?? 600_000,
    beat: () => {},
  });
}

async function children(core: Core): Promise<readonly Agent[]> {
  return (await core.store.listTaskAgents("task-01")).filter(({ role }) => role !== "executor");
}

/** The newest agent it has started, once it is launched. */
async function startedChild(core: TestCore): Promise<Agent> {
  const child = await vi.waitFor(async () => {
    const last = (await children(core)).at(-1);
    if (last?.process !== "starting") throw new Error("no agent was launched");
    return last;
  }, 20_000);
  await core.observe(started(child.id));
  return child;
}

test("an executor has one tool per role, and none for an orchestrator", async () => {
  const { core } = await aGateway({ roles: [aRole(), aRole({ id: "orchestrator" })] });

  expect(roleCallTools(core)).toMatchObject([{ name: "agent_impl-code", roleId: "impl-code" }]);
});

test("one agent is run in a child group for the same task, and its result is the answer", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });

  const running = run(core);
  const child = await startedChild(core);
  expect(child).toMatchObject({ taskId: "task-01", executionId: "exe-01", slot: "worker" });
  expect(await core.store.getGroup(child.groupId)).toMatchObject({
    parentGroupId: aGroup().id,
    description: "実装して",
  });
  expect(await stepStatuses(core)).toEqual(["running", "waiting"]);
  await core.observe(ended(child.id));

  expect(await running).toMatchObject({
    agentId: child.id,
    status: "success",
    response: "全部できました",
  });
  expect(await stepStatuses(core)).toEqual(["done", "waiting"]);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([
    { server: "", tool: "agent:impl-code", agentId: child.id, stepId: "step-1", status: "done" },
  ]);
});

test("it waits in chunks: the same call again finds the same agent, and then its result", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });

  const first = await run(core, { patienceMs: 0 });
  const second = await run(core, { patienceMs: 0 });
  expect(first).toMatchObject({ waitMore: true, next: expect.stringContaining("same arguments") });
  expect(second["agentId"]).toBe(first["agentId"]);
  const child = await startedChild(core);
  await core.observe(ended(child.id));

  expect(await run(core)).toMatchObject({ agentId: child.id, status: "success" });
  expect(await run(core)).toMatchObject({ agentId: child.id });
  expect(await children(core)).toHaveLength(1);
});

test("it waits for the process of an agent that has reported: it could still change files", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  await run(core, { patienceMs: 0 });
  const child = await startedChild(core);
  const report = {
    status: "success",
    summary: "できた",
    response: "できた",
    editedFiles: [],
    createdFiles: [],
    errorMessage: null,
  } as const;
  await reportResult(core, agent(child.id), { agentId: child.id, report });

  expect(await run(core, { patienceMs: 0 })).toMatchObject({ waitMore: true });
  await core.observe(ended(child.id));

  expect(await run(core)).toMatchObject({ agentId: child.id, summary: "できた" });
});

test("with two agents in one step the last result completes the step", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  const [first, second] = [run(core, { prompt: "一" }), run(core, { prompt: "二" })];
  await vi.waitFor(async () => expect(await children(core)).toHaveLength(2), 20_000);
  const [one, two] = await children(core);
  if (!one || !two) throw new Error("two");
  await core.quiet();
  await core.observe(started(one.id), started(two.id));

  await core.observe(ended(one.id));
  await Promise.race([first, second]);
  expect(await stepStatuses(core)).toEqual(["running", "waiting"]);
  await core.observe(ended(two.id));
  await Promise.all([first, second]);

  expect(await stepStatuses(core)).toEqual(["done", "waiting"]);
});

test("another prompt is another agent", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });

  await run(core, { patienceMs: 0 });
  await run(core, { patienceMs: 0, prompt: "別のことをして" });

  expect(await children(core)).toHaveLength(2);
  expect((await theExecution(core)).steps[0]).toMatchObject({ calls: 2 });
});

test("a failure is reported once; then the same call starts another agent", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  await run(core, { patienceMs: 0 });
  const child = await startedChild(core);
  await core.observe(ended(child.id, { exitCode: 1, progress: someProgress({ end: null }) }));
  await core.quiet();

  expect(await run(core)).toMatchObject({ agentId: child.id, status: "failure" });
  expect(await stepStatuses(core)).toEqual(["failed", "waiting"]);
  const again = await run(core, { patienceMs: 0 });

  expect(again["agentId"]).not.toBe(child.id);
  expect(await stepStatuses(core)).toEqual(["running", "waiting"]);
});

test("the result of an agent is stored even if no executor asks for it any more", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  await run(core, { patienceMs: 0 });
  const child = await startedChild(core);

  await core.observe(ended(child.id));
  await core.quiet();

  expect(await stepStatuses(core)).toEqual(["done", "waiting"]);
});

test("after a restart the same call finds the agent that went on meanwhile", async () => {
  const before = await aRunningExecution({}, { steps: STEPS });
  await run(before.core, { patienceMs: 0 });
  const child = await startedChild(before.core);

  const { core } = await aGateway({ store: before.core.store, now: NOON + 60_000 });
  await core.observe(ended(child.id));

  expect(await run(core)).toMatchObject({ agentId: child.id, status: "success" });
});

test("a step that a person must check is held before the agent is started", async () => {
  const steps = [aStep(1, { server: null, tool: "agent:impl-code", requiresHumanCheck: true })];
  const { core } = await aRunningExecution({}, { steps });

  const running = run(core);
  expect(await pendingApproval(core)).toMatchObject({
    kind: "step",
    shown: { tool: "agent:impl-code", args: { prompt: "実装して" } },
  });
  expect(await children(core)).toEqual([]);
  await decide(core, "approve");
  const child = await startedChild(core);
  await core.observe(ended(child.id));

  expect(await running).toMatchObject({ status: "success" });
});

test("a role that is in no step asks a person", async () => {
  const { core } = await aRunningExecution();

  expect(await refusalOf(run(core, { patienceMs: 0 }))).toMatchObject({ code: "APPROVAL_PENDING" });
  expect(await pendingApproval(core)).toMatchObject({ kind: "unplanned_tool" });
  expect(await children(core)).toEqual([]);
});

test("an agent that ended to wait for a person parks its executor; then the next agent goes on", async () => {
  const steps = [
    aStep(1, { server: null, tool: "agent:impl-code" }),
    aStep(2, { tool: WRITE, requiresHumanCheck: true }),
  ];
  const { core, upstream } = await aRunningExecution(
    { roles: [aRole({ mcpServers: ["*"] })] },
    { steps },
  );
  const running = refusalOf(run(core));
  const child = await startedChild(core);
  const identity = agent(child.id, "impl-code");
  await refusalOf(call(core, WRITE, {}, { identity, patienceMs: 0 }));
  core.advance(core.settings.tasks.holdForMs);
  expect(await refusalOf(call(core, WRITE, {}, { identity }))).toMatchObject({ code: "PARKED" });
  await reportCompleted(core, identity, { result: "waiting" });
  await core.observe(ended(child.id, { progress: someProgress({ sessionId: "talk" }) }));

  expect(await running).toMatchObject({ code: "PARKED" });
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human", agentId: null });
  await decide(core, "approve");
  void run(core).catch(() => undefined);
  const next = await startedChild(core);
  expect(next).toMatchObject({ resumeSession: "talk" });
  await call(core, WRITE, {}, { identity: agent(next.id, "impl-code") });

  expect(upstream.sent).toHaveLength(1);
});

test("a block ends the wait, and no agent is started any more", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  const running = run(core);
  await startedChild(core);

  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  expect(await running).toMatchObject({ waitMore: true });
  expect(await refusalOf(run(core))).toMatchObject({ code: "STOP_REQUESTED" });
  expect(await refusalOf(run(core, { prompt: "もう一つ" }))).toMatchObject({
    code: "STOP_REQUESTED",
  });
});

test("when the execution ends its agent is stopped and its step too", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  await run(core, { patienceMs: 0 });
  const child = await startedChild(core);
  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  await reportCompleted(core, agent(EXECUTOR), { result: "blocked" });

  expect(core.stops).toMatchObject([{ agentId: child.id }]);
  expect(await stepStatuses(core)).toEqual(["stopped", "waiting"]);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "cancelled" }]);
});

test("only the executor hands work on, and only with a prompt", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  const child = await aTaskAgent(core);

  expect(await refusalOf(run(core, { identity: agent(child, "impl-code") }))).toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(await refusalOf(run(core, { identity: LOCAL_USER }))).toMatchObject({
    code: "NOT_IN_AN_EXECUTION",
  });
  for (const args of [{ prompt: " " }, { prompt: 3 }, { model: "x" }, { workingDirectory: 1 }]) {
    expect(await refusalOf(run(core, { args }))).toMatchObject({ code: "INVALID_ARGUMENTS" });
  }
  expect(await pendingApprovals(core)).toEqual([]);
});

test("the child's own report is in the next executor's results", async () => {
  const { core } = await aRunningExecution({}, { steps: STEPS });
  await run(core, { patienceMs: 0 });
  const child = await startedChild(core);
  await reportResult(core, agent(child.id, "impl-code"), {
    agentId: child.id,
    report: {
      status: "success",
      summary: "直した",
      response: "a.ts を直した",
      editedFiles: ["a.ts"],
      createdFiles: [],
      errorMessage: null,
    },
  });
  await core.observe(ended(child.id));
  await core.quiet();

  const [row] = await core.store.listToolCalls("exe-01");
  expect(JSON.parse(row?.answer ?? "{}")).toMatchObject({
    structuredContent: { response: "a.ts を直した", editedFiles: ["a.ts"] },
  });
});
