import { expect, test } from "vitest";
import type { TestCore } from "../../../../test/kit/core.ts";
import { aRunningExecution, theExecution } from "../../../../test/kit/execution.ts";
import type { ARunningTask } from "../../../../test/kit/running-task.ts";
import type { Core } from "../../core.ts";
import { advanceExecution } from "./advance-execution.ts";
import { saveExecution } from "./execution-event.ts";

/** An execution whose parked executor has ended, and whose approvals are decided. */
const DECIDED: ARunningTask = {
  execution: { agentId: null },
  executor: { status: "completed", process: "ended" },
};

/** The core of a server that starts an executor while another server stores an answer. */
function whileAnswered(core: TestCore): Core {
  let isAnswered = false;
  const getProcessDraft: Core["store"]["getProcessDraft"] = async (id) => {
    const found = await core.store.getProcessDraft(id);
    if (!isAnswered) {
      isAnswered = true;
      const execution = await theExecution(core);
      await core.store.transaction((unit) => saveExecution(core, unit, execution, execution));
    }
    return found;
  };
  return { ...core, store: { ...core.store, getProcessDraft } };
}

test("an executor is started although another server stores an answer meanwhile", async () => {
  const { core, task } = await aRunningExecution({}, DECIDED);

  await advanceExecution(whileAnswered(core), task);
  await core.quiet();

  const { agentId, agentIds } = await theExecution(core);
  expect(agentIds).toHaveLength(2);
  expect(agentId).toBe(agentIds.at(-1));
});

test("an executor that cannot be started fails the task although another server stores an answer meanwhile", async () => {
  const { core, task } = await aRunningExecution({}, DECIDED);
  core.installed.clear();

  await advanceExecution(whileAnswered(core), task);
  await core.quiet();

  expect(await core.store.getTask(task.id)).toMatchObject({ status: "failed" });
});

test("a pass that begins with a blocked task starts no executor and no other pass", async () => {
  const { core, task } = await aRunningExecution({}, { ...DECIDED, task: { status: "blocked" } });
  const passes: string[] = [];

  await advanceExecution({ ...core, advanceSoon: (id) => void passes.push(id) }, task);
  core.installed.clear();
  await advanceExecution({ ...core, advanceSoon: (id) => void passes.push(id) }, task);

  expect(passes).toEqual([]);
  expect((await theExecution(core)).agentIds).toHaveLength(1);
});
