import { expect, test } from "vitest";
import { anExecution } from "../../../test/kit/builders.ts";
import { carryOver } from "./carry-over.ts";
import { endExecution } from "./end-execution.ts";
import {
  EXECUTION_STATUSES,
  isOver,
  STEP_STATUSES,
  type Execution,
  type StepStatus,
} from "./execution.ts";
import { answerStep, beginStep, recordInStep, startStep } from "./step-progress.ts";

const REPORT = { summary: "終わり", response: null, error: null };

function withSteps(...statuses: readonly StepStatus[]): Execution {
  const steps = statuses.map((status, index) => ({
    stepId: `step-${index + 1}` as const,
    status,
    startedAt: null,
    endedAt: null,
    calls: status === "done" ? 1 : 0,
    error: null,
    note: null,
  }));
  return anExecution({ status: "running", steps });
}

const statuses = ({ steps }: Execution) => steps.map(({ status }) => status);

test("startStep finishes earlier running steps and counts the calls of its step", () => {
  const once = startStep(withSteps("running", "waiting", "running", "waiting"), "step-2", 7);
  const twice = startStep(once, "step-2", 9);

  expect(statuses(twice)).toEqual(["done", "running", "running", "waiting"]);
  expect(twice.steps[1]).toMatchObject({ calls: 2, startedAt: 7, endedAt: null });
  expect(twice.steps[0]).toMatchObject({ endedAt: 7 });
});

test("startStep leaves an earlier step that failed or was never called as it is", () => {
  expect(statuses(startStep(withSteps("failed", "waiting", "waiting"), "step-3", 7))).toEqual([
    "failed",
    "waiting",
    "running",
  ]);
});

test("beginning a later step forgets the step the executor named; beginning an earlier one does not", () => {
  const named = { ...withSteps("waiting", "waiting", "waiting"), namedStepId: "step-2" } as const;

  expect(startStep(named, "step-3", 7).namedStepId).toBeNull();
  expect(startStep(named, "step-2", 7).namedStepId).toBe("step-2");
  expect(startStep(named, "step-1", 7).namedStepId).toBe("step-2");
});

for (const status of STEP_STATUSES) {
  test(`a step that is ${status} can begin, and then lose an answer or fail`, () => {
    const execution = withSteps(status);

    expect(statuses(beginStep(execution, "step-1", 7))).toEqual(["running"]);
    expect(statuses(recordInStep(execution, "step-1", "answer_lost", 7, "x"))).toEqual([
      "outcome_unknown",
    ]);
    expect(recordInStep(execution, "step-1", "failed", 7, "boom").steps[0]).toMatchObject({
      status: "failed",
      error: "boom",
    });
  });
}

test("carryOver keeps steps that are done or unknown and starts the others again", () => {
  const before = withSteps(...STEP_STATUSES);
  const steps = before.steps.map(({ stepId }, index) => ({
    id: stepId,
    order: index + 1,
    title: "",
    server: "hr",
    tool: "x",
    requiresHumanCheck: false,
  }));
  const after = (status: Execution["status"]) =>
    carryOver(steps, { ...before, status }).map((state) => state.status);

  expect(after("blocked")).toEqual(
    STEP_STATUSES.map((status) =>
      ["done", "outcome_unknown", "rejected"].includes(status) ? status : "waiting",
    ),
  );
  expect(after("failed")).toEqual(
    STEP_STATUSES.map((status) =>
      ["done", "outcome_unknown"].includes(status) ? status : "waiting",
    ),
  );
  expect(carryOver(steps, undefined).every(({ status }) => status === "waiting")).toBe(true);
});

for (const status of EXECUTION_STATUSES) {
  test(`an execution that is ${status} can end in every way, once`, () => {
    const execution = anExecution({ status });
    const end = (verdict: "success" | "failure" | "blocked" | "cancelled") =>
      endExecution(execution, verdict, REPORT, new Set(), 7).status;
    const over = isOver(execution) ? status : undefined;

    expect(end("success")).toBe(over ?? "completed");
    expect(end("failure")).toBe(over ?? "failed");
    expect(end("blocked")).toBe(over ?? "blocked");
    expect(end("cancelled")).toBe(over ?? "cancelled");
  });
}

test("endExecution makes running steps done, failed or stopped, depending on the verdict", () => {
  const execution = withSteps("done", "running", "waiting_for_human", "waiting", "outcome_unknown");
  const after = (verdict: "success" | "failure" | "blocked", unanswered = new Set<"step-2">()) =>
    statuses(endExecution(execution, verdict, REPORT, unanswered, 7));

  expect(after("success")).toEqual(["done", "done", "stopped", "waiting", "outcome_unknown"]);
  expect(after("failure")).toEqual(["done", "failed", "stopped", "waiting", "outcome_unknown"]);
  expect(after("blocked")).toEqual(["done", "stopped", "stopped", "waiting", "outcome_unknown"]);
  expect(after("blocked", new Set(["step-2"]))).toEqual([
    "done",
    "outcome_unknown",
    "stopped",
    "waiting",
    "outcome_unknown",
  ]);
});

test("an answer makes a step done, and the next call of its tool makes it run again", () => {
  const answered = answerStep(startStep(withSteps("waiting", "waiting"), "step-1", 7), "step-1", 8);
  expect(answered.steps[0]).toMatchObject({ status: "done", mayRepeat: true, endedAt: 8 });

  const again = startStep(answered, "step-1", 9);
  expect(again.steps[0]).toMatchObject({
    status: "running",
    calls: 2,
    startedAt: 7,
    endedAt: null,
  });
  expect(again.steps[0]?.mayRepeat).toBeUndefined();
});

test("beginning a later step closes an answered one and keeps its end time", () => {
  const answered = answerStep(startStep(withSteps("waiting", "waiting"), "step-1", 7), "step-1", 8);

  const later = startStep(answered, "step-2", 20);

  expect(later.steps[0]).toMatchObject({ status: "done", endedAt: 8 });
  expect(later.steps[0]?.mayRepeat).toBeUndefined();
});

test("an answer only makes a running step done", () => {
  for (const status of STEP_STATUSES.filter((each) => each !== "running")) {
    expect(statuses(answerStep(withSteps(status), "step-1", 7))).toEqual([status]);
  }
});

test("an interrupted attempt reopens the answered step it was in", () => {
  const answered = answerStep(startStep(withSteps("done", "waiting"), "step-2", 7), "step-2", 8);
  const after = (verdict: "success" | "failure" | "blocked" | "cancelled") =>
    endExecution(answered, verdict, REPORT, new Set(), 9).steps;

  expect(after("success")).toMatchObject([{ status: "done" }, { status: "done", endedAt: 8 }]);
  expect(after("success")[1]?.mayRepeat).toBeUndefined();
  expect(after("failure")).toMatchObject([{ status: "done" }, { status: "failed" }]);
  expect(after("blocked")).toMatchObject([{ status: "done" }, { status: "stopped" }]);
  expect(after("cancelled")).toMatchObject([{ status: "done" }, { status: "stopped" }]);
});
