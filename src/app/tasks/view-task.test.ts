import { expect, test } from "vitest";
import { aToolCall, NOON } from "../../../test/kit/builders.ts";
import { aCore, ended } from "../../../test/kit/core.ts";
import { aRunningTask, EXECUTOR } from "../../../test/kit/running-task.ts";
import { answer, aPlannedTask, HR, reject, upstreamWith } from "../../../test/kit/task-flow.ts";
import { LOCAL_USER, type Core } from "../core.ts";
import { changeTaskStatus } from "./change-task-status.ts";
import { viewTask } from "./view-task.ts";

test("viewTask returns every draft with its approval", async () => {
  const core = await aCore({ upstream: upstreamWith(...HR) });
  const id = await aPlannedTask(core);
  await reject(core, id, "10月分も");
  await answer(core, id, { content: "第二案" });

  const view = await viewTask(core, id);

  expect(view.prompts).toMatchObject([
    {
      draft: { version: 1 },
      approval: { status: "rejected", decidedBy: "local", reason: "10月分も", decidedAt: NOON },
    },
    { draft: { version: 2, content: "第二案" }, approval: { status: "pending", decidedBy: null } },
  ]);
  expect(view.approvals.map(({ status }) => status)).toEqual(["pending", "rejected"]);
  expect(view.agents.map(({ role }) => role)).toEqual(["task-analyst", "planner", "planner"]);
  expect(view).toMatchObject({ processes: [], executions: [], toolCalls: [], notifications: [] });
});

test("viewTask returns each execution with the state and elapsed time of its steps", async () => {
  const core = await aCore();
  const { id } = await aRunningTask(core);
  const [execution] = await core.store.listExecutions(id);
  if (!execution) throw new Error("there is one");
  await core.store.transaction(async (unit) => {
    const steps = execution.steps.map((step, index) =>
      index === 0
        ? { ...step, status: "done" as const, startedAt: NOON, endedAt: NOON + 2_000 }
        : index === 1
          ? { ...step, status: "running" as const, startedAt: NOON + 2_000 }
          : step,
    );
    await unit.updateExecution({ ...execution, steps }, execution);
    await unit.insertToolCall(aToolCall({ answer: '{"content":[]}' }));
  });
  core.advance(5_000);

  const view = await viewTask(core, id);

  expect(view.executions).toMatchObject([
    {
      execution: { attempt: 1, status: "running" },
      elapsedMs: 5_000,
      steps: [
        { id: "step-1", title: "社員一覧を取る", status: "done", elapsedMs: 2_000 },
        { id: "step-2", status: "running", elapsedMs: 3_000 },
        { id: "step-3", status: "waiting", requiresHumanCheck: true, elapsedMs: 0 },
      ],
    },
  ]);
  expect(view.toolCalls).toMatchObject([{ tool: "list_employees" }]);
  expect(view.toolCalls[0]).not.toHaveProperty("answer");
});

test("viewTask refuses an unknown task", async () => {
  const core = await aCore();

  await expect(viewTask(core, "task-none")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
});

test("viewTask never shows an ended agent with an open stop notification", async () => {
  const core = await aCore();
  const { id } = await aRunningTask(core);
  await changeTaskStatus(core, LOCAL_USER, { taskId: id, status: "blocked" });
  let endNow = () => core.observe(ended(EXECUTOR, { exitCode: 143 }));
  const once = async (): Promise<void> => {
    const end = endNow;
    endNow = async () => {};
    await end();
  };
  const { store } = core;
  // The agent's end is committed right after the first of the two reads, whichever that is.
  const reading: Pick<Core, "store" | "clock"> = {
    clock: core.clock,
    store: {
      ...store,
      async listTaskAgents(taskId) {
        const agents = await store.listTaskAgents(taskId);
        await once();
        return agents;
      },
      async listTaskNotifications(taskId) {
        const notifications = await store.listTaskNotifications(taskId);
        await once();
        return notifications;
      },
    },
  };

  const { agents, notifications } = await viewTask(reading, id);

  expect([agents[0]?.process, notifications[0]?.status]).not.toEqual(["ended", "pending"]);
  expect(notifications).toMatchObject([{ status: "cleared" }]);
});
