import { expect, test } from "vitest";
import { aTask } from "../../../test/kit/builders.ts";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import { aRunningTask } from "../../../test/kit/running-task.ts";
import {
  aDesignedTask,
  aPlannedTask,
  decide,
  HR,
  pendingApproval,
  taskOf,
  upstreamWith,
} from "../../../test/kit/task-flow.ts";
import type { TaskId } from "../../domain/ids.ts";
import { TASK_STATUSES } from "../../domain/tasks/task.ts";
import { LOCAL_USER, type Identity } from "../core.ts";
import { applyDraftDecision } from "./drafting/apply-draft-decision.ts";
import { retryTask } from "./retry-task.ts";

const upstream = upstreamWith(...HR);

async function expire(core: TestCore, taskId: TaskId): Promise<void> {
  const approval = await pendingApproval(core, taskId);
  await core.store.transaction(async (unit) => {
    const expired = await unit.updateApproval({ ...approval, status: "expired" }, approval);
    return applyDraftDecision(core, unit, expired);
  });
}

test("retrying after an expired approval of the prompt requests approval of the same prompt", async () => {
  const core = await aCore({ upstream });
  const id = await aPlannedTask(core);
  const first = await pendingApproval(core, id);
  await expire(core, id);
  const failed = await taskOf(core, id);
  expect(failed).toMatchObject({ status: "failed", failure: { stage: "prompt_approval" } });

  await retryTask(core, LOCAL_USER, id);

  const again = await pendingApproval(core, id);
  expect(again.id).not.toBe(first.id);
  expect(again).toMatchObject({ kind: "prompt", subjectId: first.subjectId, shown: first.shown });
  expect(await core.store.listPromptDrafts(id)).toHaveLength(1);
  await decide(core, id);
  expect(await taskOf(core, id)).toMatchObject({ status: "designing", failure: null });
});

test("retrying after an expired approval of the process requests approval of the same steps", async () => {
  const core = await aCore({ upstream });
  const id = await aDesignedTask(core);
  await expire(core, id);
  expect(await taskOf(core, id)).toMatchObject({ failure: { stage: "process_approval" } });

  await retryTask(core, LOCAL_USER, id);

  expect(await pendingApproval(core, id)).toMatchObject({ kind: "process" });
  expect(await core.store.listProcessDrafts(id)).toHaveLength(1);
  await decide(core, id);
  expect((await taskOf(core, id)).status).toBe("in_progress");
});

test("retrying a failed execution queues the next execution of the same process", async () => {
  const core = await aCore({ upstream });
  const { id } = await aRunningTask(core, {
    task: { status: "failed", failure: { stage: "execution", message: "x" } },
    execution: { status: "failed" },
    executor: null,
  });

  // The daemon dies right after the commit.
  core.events.close();
  const task = await retryTask(core, LOCAL_USER, id);

  expect(task).toMatchObject({ status: "in_progress", failure: null });
  expect(await core.store.listExecutions(id)).toMatchObject([
    { attempt: 1, status: "failed" },
    { id: task.executionId, attempt: 2, status: "queued", processId: "prc-01" },
  ]);
});

test("the audit records a retry with the person, the reason and the failure", async () => {
  const core = await aCore({ upstream });
  core.installed.clear();
  const task = aTask({ status: "failed", failure: { stage: "planning", message: "x" } });
  await core.store.transaction((unit) => unit.insertTask(task));
  const aoi: Identity = {
    kind: "person",
    cwd: null,
    keys: { CURSOR_API_KEY: "k" },
    person: { id: "aoi", name: "葵", role: "operator" },
  };

  core.events.close();
  const retried = await retryTask(core, aoi, task.id, { reason: " CLIを直した " });

  expect(retried).toMatchObject({
    status: "planning",
    statusBy: "aoi",
    statusReason: "CLIを直した",
  });
  expect((await core.store.listAudit({ subject: task.id, limit: 10 })).entries).toMatchObject([
    {
      actor: "aoi",
      action: "task.retried",
      data: { failure: task.failure, reason: "CLIを直した" },
    },
  ]);
  expect(core.clientKeys.of(task.id)).toEqual({ CURSOR_API_KEY: "k" });
});

test.each(TASK_STATUSES.filter((status) => status !== "failed"))(
  "retrying a task that is %s is refused with a hint",
  async (status) => {
    const core = await aCore();
    const task = aTask({ status });
    await core.store.transaction((unit) => unit.insertTask(task));

    await expect(retryTask(core, LOCAL_USER, task.id)).rejects.toMatchObject({
      code: "TASK_NOT_RETRYABLE",
      hint: expect.stringMatching(/\S/),
    });
    expect(await core.store.getTask(task.id)).toEqual(task);
  },
);

test("retrying an outdated version of a task or an unknown task is refused", async () => {
  const core = await aCore();
  const task = aTask({
    status: "failed",
    failure: { stage: "analysis", message: "x" },
    version: 3,
  });
  await core.store.transaction((unit) => unit.insertTask(task));

  await expect(retryTask(core, LOCAL_USER, task.id, { version: 2 })).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
  });
  await expect(retryTask(core, LOCAL_USER, "task-none")).rejects.toMatchObject({
    code: "TASK_NOT_FOUND",
  });
});

test("agents, and with sign-in unknown clients, cannot retry a task", async () => {
  const core = await aCore();
  const agent: Identity = { kind: "agent", agentId: "impl-code-1-0001", role: "impl-code" };
  const strict = { ...core, people: { ...core.people, isEnabled: true } };

  await expect(retryTask(core, agent, "task-01")).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await expect(
    retryTask(strict, { kind: "client", cwd: null, keys: {} }, "task-01"),
  ).rejects.toMatchObject({ code: "PERSON_NEEDED" });
});
