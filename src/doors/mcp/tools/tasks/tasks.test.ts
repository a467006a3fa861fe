import { expect, test } from "vitest";
import { callOwnTool, ownTool, textsOf } from "../../../../../test/kit/call-own-tool.ts";
import { aCore, type TestCore } from "../../../../../test/kit/core.ts";
import { main } from "../../../../../test/kit/running-agent.ts";
import { aRunningTask } from "../../../../../test/kit/running-task.ts";
import { aPlannedTask, HR, upstreamWith } from "../../../../../test/kit/task-flow.ts";
import type { Identity } from "../../../../app/core.ts";

async function call(core: TestCore, name: string, args: object, identity: Identity = main) {
  const answer = await callOwnTool(core, name, args, identity);
  return answer.isError
    ? JSON.parse(textsOf(answer)[0] ?? "")
    : ownTool(name).output.parse(answer.structuredContent);
}

test("a task is asked for and looked at", async () => {
  const core = await aCore();

  const created = await call(core, "create_task", { request: "残業を集計して", priority: "high" });

  expect(created).toMatchObject({ taskId: expect.stringMatching(/^task-/), status: "analyzing" });
  await core.quiet();
  expect(await call(core, "get_task", { taskId: created.taskId })).toEqual({
    taskId: created.taskId,
    status: "analyzing",
    priority: "high",
    approvals: [],
    agents: [expect.stringMatching(/^task-analyst-/)],
  });
  expect(await core.store.getTask(created.taskId)).toMatchObject({ door: "mcp" });
});

test("create_task accepts text for request, but not both", async () => {
  const core = await aCore();

  const { taskId } = await call(core, "create_task", { text: "残業を集計して" });

  expect(await core.store.getTask(taskId)).toMatchObject({ request: "残業を集計して" });
  expect(await call(core, "create_task", { text: "a", request: "b" })).toMatchObject({
    code: "INVALID_ARGUMENTS",
    message: expect.stringContaining("text"),
  });
  expect(await call(core, "create_task", {})).toMatchObject({ code: "INVALID_ARGUMENTS" });
});

test("a task that waits for a person says so, with the prompt in question", async () => {
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const taskId = await aPlannedTask(core);

  const task = await call(core, "get_task", { taskId });

  expect(task).toMatchObject({
    status: "awaiting_prompt_approval",
    prompt: { version: 1, approval: "pending", content: expect.stringContaining("残業") },
    approvals: [{ approvalId: expect.stringMatching(/^apr-/), kind: "prompt" }],
    agents: [],
  });
});

test("a running task shows each step and its tool", async () => {
  const core = await aCore();
  const { id } = await aRunningTask(core);

  const task = await call(core, "get_task", { taskId: id });

  expect(task).toMatchObject({
    status: "in_progress",
    process: {
      version: 1,
      steps: [
        { stepId: "step-1", tool: "hr/list_employees", status: "waiting" },
        { stepId: "step-2", tool: "hr/calculate_overtime", status: "waiting" },
        { stepId: "step-3", requiresHumanCheck: true, status: "waiting" },
      ],
    },
    execution: { attempt: 1, status: "running" },
  });
});

test("an agent has neither tool, and a task there is not is refused", async () => {
  const core = await aCore();
  const agent: Identity = { kind: "agent", agentId: "impl-code-1-0001", role: "impl-code" };

  expect(await call(core, "create_task", { request: "x" }, agent)).toMatchObject({ error: true });
  expect(await call(core, "get_task", { taskId: "task-none" }, agent)).toMatchObject({
    error: true,
  });
  expect(await call(core, "get_task", { taskId: "task-none" })).toMatchObject({
    code: "TASK_NOT_FOUND",
    hint: expect.stringContaining("create_task"),
  });
});
