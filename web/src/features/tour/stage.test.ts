import { expect, test } from "vitest";
import { demoRequest } from "../../../../src/contract/demo.ts";
import { placeOf, type Shown, stageOf } from "./stage.ts";

const execution = (steps: Readonly<Record<string, string>>) => ({
  steps: Object.entries(steps).map(([stepId, status]) => ({ stepId, status })),
});

/** Only what the tour reads; the rest of a task does not matter to it. */
function aTask(over: object): Shown {
  return JSON.parse(
    JSON.stringify({
      request: demoRequest("hr", "ja"),
      status: "in_progress",
      executions: [execution({ "step-4": "waiting" })],
      approvals: [],
      agents: [],
      ...over,
    }),
  );
}

test("the tour starts without a task and follows its drafts", () => {
  expect(stageOf(undefined)).toBe("start");
  expect(stageOf(aTask({ status: "analyzing" }))).toBe("drafting");
  expect(stageOf(aTask({ status: "awaiting_prompt_approval" }))).toBe("prompt");
  expect(stageOf(aTask({ status: "awaiting_process_approval" }))).toBe("process");
});

test("a pending approval comes before everything else of an execution", () => {
  const approvals = [{ status: "pending", kind: "step" }];
  const executions = [execution({ "step-4": "done" })];

  expect(stageOf(aTask({ approvals, executions }))).toBe("check");
  expect(stageOf(aTask({ approvals: [{ status: "pending", kind: "question" }] }))).toBe("question");
});

test("the tour offers to block the task where its story pauses, and only in the first attempt", () => {
  const paused = execution({ "step-2": "done", "step-4": "done" });

  expect(stageOf(aTask({}))).toBe("watch");
  expect(stageOf(aTask({ executions: [paused] }))).toBe("block");
  expect(stageOf(aTask({ executions: [paused, paused] }))).toBe("resumed");
  const coding = {
    request: demoRequest("coding", "en"),
    executions: [execution({ "step-2": "done" })],
  };
  expect(stageOf(aTask(coding))).toBe("block");
});

test("a blocked task is stopping until its agents have ended", () => {
  const running = [{ status: "running" }];

  expect(stageOf(aTask({ status: "blocked", agents: running }))).toBe("stopping");
  expect(stageOf(aTask({ status: "blocked", agents: [{ status: "resultReported" }] }))).toBe(
    "unblock",
  );
});

test("the question of the coding story comes after its pause", () => {
  expect(placeOf("question", "coding")).toBeGreaterThan(placeOf("block", "coding"));
  expect(placeOf("check", "hr")).toBeLessThan(placeOf("block", "hr"));
});
