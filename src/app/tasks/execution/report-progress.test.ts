import { expect, test } from "vitest";
import {
  agent,
  aRunningExecution,
  callOnce,
  refusalOf,
  stepStatuses,
  theExecution,
  WRITE,
} from "../../../../test/kit/execution.ts";
import { aTaskAgent, EXECUTOR } from "../../../../test/kit/running-task.ts";
import { LOCAL_USER } from "../../core.ts";
import { reportProgress } from "./report-progress.ts";

test("report_progress marks the named step as running and keeps the message as its note", async () => {
  const { core } = await aRunningExecution();

  const answer = await reportProgress(core, agent(EXECUTOR), {
    stepId: "step-2",
    message: "12人分を計算中",
  });

  expect(answer).toEqual({ stepId: "step-2", status: "running" });
  expect(await theExecution(core)).toMatchObject({ namedStepId: "step-2" });
  expect((await theExecution(core)).steps[1]).toMatchObject({ note: "12人分を計算中", calls: 0 });
});

test("naming a later step completes the step that was running", async () => {
  const { core } = await aRunningExecution();

  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2" });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2", status: "done" });

  expect(await stepStatuses(core)).toEqual(["done", "done", "waiting"]);
});

test("a step can be reported as failed and then as running again", async () => {
  const { core } = await aRunningExecution();

  await reportProgress(core, agent(EXECUTOR), {
    stepId: "step-1",
    status: "failed",
    message: "空だった",
  });
  expect((await theExecution(core)).steps[0]).toMatchObject({
    status: "failed",
    error: "空だった",
  });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  expect(await stepStatuses(core)).toEqual(["running", "waiting", "waiting"]);
});

test("a report of the executor does not change a step that waits for a person", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));

  const answer = await reportProgress(core, agent(EXECUTOR), { stepId: "step-3", status: "done" });

  expect(answer).toEqual({ stepId: "step-3", status: "waiting_for_human" });
});

test("a report of the executor's sub-agent leaves a note and names no step", async () => {
  const { core } = await aRunningExecution();
  const child = await aTaskAgent(core);

  await reportProgress(core, agent(child, "impl-code"), {
    stepId: "step-1",
    status: "done",
    message: "半分",
  });

  expect(await theExecution(core)).toMatchObject({ namedStepId: null });
  expect((await theExecution(core)).steps[0]).toMatchObject({ status: "waiting", note: "半分" });
});

test("an unknown step is refused with a list of the steps", async () => {
  const { core } = await aRunningExecution();

  expect(
    await refusalOf(reportProgress(core, agent(EXECUTOR), { stepId: "step-9" })),
  ).toMatchObject({
    code: "STEP_NOT_FOUND",
    hint: expect.stringContaining("step-1, step-2, step-3"),
  });
});

test("an agent without an execution cannot report progress", async () => {
  const { core } = await aRunningExecution({}, { execution: { status: "completed" } });
  const drafter = await aTaskAgent(core, { executionId: null });

  for (const identity of [LOCAL_USER, agent(drafter), agent(EXECUTOR)]) {
    expect(await refusalOf(reportProgress(core, identity, { stepId: "step-1" }))).toMatchObject({
      code: "NOT_IN_AN_EXECUTION",
    });
  }
});
