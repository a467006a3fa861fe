import { expect, test } from "vitest";
import { aGroup, aTask } from "../../../test/kit/builders.ts";
import { aCore, ended, started, type TestCore } from "../../../test/kit/core.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { LOCAL_USER } from "../core.ts";
import { runAgents } from "../groups/run-agents.ts";
import { purgeHistory } from "../purge-history.ts";
import { resumeTasks } from "./task-advancer.ts";

const GROUP = aGroup();

async function withTask(core: TestCore, status: Task["status"]): Promise<void> {
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(GROUP);
    await unit.insertTask(aTask({ groupId: GROUP.id, status, executionId: null }));
  });
}

const statusOf = async (core: TestCore) => (await core.store.getGroup(GROUP.id))?.status;

test.each(["completed", "cancelled"] as const)(
  "the group of a %s task is deleted, at the latest after a restart",
  async (status) => {
    const core = await aCore();
    await withTask(core, status);

    await resumeTasks(core);
    await core.quiet();

    expect(await statusOf(core)).toBe("deleted");
  },
);

test.each(["failed", "blocked", "in_progress"] as const)(
  "the group of a %s task stays active, as the task may continue",
  async (status) => {
    const core = await aCore();
    await withTask(core, status);

    await resumeTasks(core);
    await core.quiet();

    expect(await statusOf(core)).toBe("active");
  },
);

test("the group of an ended task is deleted once its last agent has ended", async () => {
  const core = await aCore();
  await withTask(core, "completed");
  const work = { role: "impl-code", prompt: "やって", workingDirectory: "/", timeoutMs: null };
  const [agent] = await runAgents(core, LOCAL_USER, { groupId: GROUP.id, agents: [work] });
  if (!agent) throw new Error("no agent");
  await core.quiet();
  await core.observe(started(agent.id));

  await resumeTasks(core);
  await core.quiet();
  expect(await statusOf(core)).toBe("active");

  await core.observe(ended(agent.id));
  await resumeTasks(core);
  await core.quiet();
  expect(await statusOf(core)).toBe("deleted");
});

test("the purge of old history removes a failed task that was never retried", async () => {
  const core = await aCore();
  await withTask(core, "failed");
  await core.store.transaction(async (unit) => {
    const task = await unit.getTask(aTask().id);
    if (task) await unit.updateTask({ ...task, endedAt: core.clock.now() }, task);
  });
  core.advance(400 * 86_400_000);

  await purgeHistory(core, 30);
  await core.quiet();
  await purgeHistory(core, 30);

  expect(await core.store.getTask(aTask().id)).toBeUndefined();
});
