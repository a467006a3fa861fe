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

test("naming a step shows that it runs, with what is said about it", async () => {
  const { core } = await aRunningExecution();

  const answer = await reportProgress(core, agent(EXECUTOR), {
    stepId: "step-2",
    message: "12人分を計算中",
  });

  expect(answer).toEqual({ stepId: "step-2", status: "running" });
  expect(await theExecution(core)).toMatchObject({ namedStepId: "step-2" });
  expect((await theExecution(core)).steps[1]).toMatchObject({ note: "12人分を計算中", calls: 0 });
});

test("naming a later step finishes the one that ran", async () => {
  const { core } = await aRunningExecution();

  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2" });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2", status: "done" });

  expect(await stepStatuses(core)).toEqual(["done", "done", "waiting"]);
});

test("a step can be said to have failed, and to run again", async () => {
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

test("no word of the executor takes a step from the person who is asked about it", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(callOnce(core, WRITE));

  const answer = await reportProgress(core, agent(EXECUTOR), { stepId: "step-3", status: "done" });

  expect(answer).toEqual({ stepId: "step-3", status: "waiting_for_human" });
});

test("an agent of the executor leaves a note and names nothing", async () => {
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

test("a step there is not is refused with those there are", async () => {
  const { core } = await aRunningExecution();

  expect(
    await refusalOf(reportProgress(core, agent(EXECUTOR), { stepId: "step-9" })),
  ).toMatchObject({
    code: "STEP_NOT_FOUND",
    hint: expect.stringContaining("step-1, step-2, step-3"),
  });
});

test("who works on no execution has nothing to report on", async () => {
  const { core } = await aRunningExecution({}, { execution: { status: "completed" } });
  const drafter = await aTaskAgent(core, { executionId: null });

  for (const identity of [LOCAL_USER, agent(drafter), agent(EXECUTOR)]) {
    expect(await refusalOf(reportProgress(core, identity, { stepId: "step-1" }))).toMatchObject({
      code: "NOT_IN_AN_EXECUTION",
    });
  }
});
