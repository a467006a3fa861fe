import { expect, test } from "vitest";
import { aWireTask } from "../../../../../test/kit/wire.ts";
import { analysisState, draftState, executionState } from "./card-state.ts";

const failedAt = (stage: "analysis" | "planning" | "process_approval") =>
  aWireTask({ status: "failed", failure: { stage, message: "x" } });

test.for([
  [aWireTask({ status: "analyzing" }), "generating"],
  [aWireTask({ status: "planning", title: "t" }), "completed"],
  [failedAt("analysis"), "failed"],
  [aWireTask({ status: "cancelled" }), "cancelled"],
  [aWireTask({ status: "cancelled", title: "t" }), "completed"],
  [aWireTask({ status: "blocked" }), "idle"],
] as const)("the analysis of a task is shown by its status (%#)", ([task, expected]) => {
  expect(analysisState(task)).toBe(expected);
});

test("a draft that is being written is shown so, whatever became of the version before", () => {
  const planning = aWireTask({ status: "planning" });
  expect(draftState(planning, "prompt", { status: "rejected" })).toBe("generating");
  expect(draftState(planning, "process", undefined)).toBe("idle");
});

test("a task that failed while drafting fails the card of that draft only", () => {
  expect(draftState(failedAt("planning"), "prompt", undefined)).toBe("failed");
  expect(draftState(failedAt("planning"), "process", undefined)).toBe("idle");
  expect(draftState(failedAt("process_approval"), "process", { status: "approved" })).toBe(
    "failed",
  );
});

test.for([
  ["pending_approval", "pending"],
  ["approved", "approved"],
  ["rejected", "rejected"],
  ["expired", "failed"],
  ["superseded", "cancelled"],
  ["cancelled", "cancelled"],
] as const)("a %s draft is shown as %s", ([status, expected]) => {
  expect(draftState(aWireTask(), "prompt", { status })).toBe(expected);
});

test("a rejected draft of a cancelled task is cancelled: there is no next version", () => {
  const cancelled = aWireTask({ status: "cancelled" });
  expect(draftState(cancelled, "prompt", { status: "rejected" })).toBe("cancelled");
  expect(draftState(cancelled, "prompt", undefined)).toBe("cancelled");
});

test.for([
  ["queued", null, "idle"],
  ["running", null, "running"],
  ["waiting_for_human", null, "pending"],
  ["stopping", "blocked", "blocked"],
  ["stopping", "cancelled", "cancelled"],
  ["completed", null, "completed"],
  ["failed", null, "failed"],
] as const)("an execution that is %s (stop for: %s) is shown as %s", ([status, stopFor, state]) => {
  expect(executionState(aWireTask(), { status, stopFor })).toBe(state);
});

test("without an execution the card waits, or is cancelled with its task", () => {
  expect(executionState(aWireTask(), undefined)).toBe("idle");
  expect(executionState(aWireTask({ status: "cancelled" }), undefined)).toBe("cancelled");
});
