import { expect, test } from "vitest";
import type { StepId } from "../ids.ts";
import type { Step, ToolRef } from "./draft.ts";
import { STEP_STATUSES, type StepState, type StepStatus } from "./execution.ts";
import { matchStep } from "./match-step.ts";

const READ: ToolRef = { server: "hr", tool: "list_employees" };
const WRITE: ToolRef = { server: "sheets", tool: "write_rows" };

type Row = {
  readonly ref: ToolRef;
  readonly status?: StepStatus;
  readonly check?: boolean;
  readonly calls?: number;
  readonly mayRepeat?: boolean;
};

function match(rows: readonly Row[], ref: ToolRef, namedStepId: StepId | null = null) {
  const steps = rows.map((row, index): Step => ({
    ...row.ref,
    id: `step-${index + 1}`,
    order: index + 1,
    title: `${index + 1}`,
    requiresHumanCheck: row.check ?? false,
  }));
  const states = rows.map(
    ({ status = "waiting", calls = status === "done" ? 1 : 0, mayRepeat }, index): StepState => ({
      stepId: `step-${index + 1}`,
      status,
      startedAt: null,
      endedAt: null,
      calls,
      error: null,
      note: null,
      ...(mayRepeat === true && { mayRepeat }),
    }),
  );
  const found = matchStep({ steps, states, namedStepId }, ref);
  return found && [found.step.id, found.requiresHumanCheck ? "check" : "pass"].join(" ");
}

test("a tool that is in no step is unplanned", () => {
  expect(match([{ ref: READ }], WRITE)).toBeUndefined();
});

test("the same name on another server is another tool", () => {
  expect(match([{ ref: WRITE }], { server: "other", tool: "write_rows" })).toBeUndefined();
  expect(match([{ ref: { server: null, tool: "agent:research" } }], READ)).toBeUndefined();
});

test("a call belongs to the earliest unfinished step with its tool", () => {
  expect(match([{ ref: READ }, { ref: WRITE }, { ref: WRITE }], WRITE)).toBe("step-2 pass");
  expect(match([{ ref: WRITE, status: "done" }, { ref: WRITE }], WRITE)).toBe("step-2 pass");
});

test("steps are taken by their order, not by their place in the list", () => {
  const states: StepState[] = [];
  const step = (order: number): Step => ({
    ...READ,
    id: `step-${order}`,
    order,
    title: "",
    requiresHumanCheck: false,
  });

  const found = matchStep({ steps: [step(2), step(1)], states, namedStepId: null }, READ);

  expect(found?.step.id).toBe("step-1");
});

for (const status of STEP_STATUSES) {
  const isOpen = status !== "done" && status !== "rejected";
  test(`a step that is ${status} is ${isOpen ? "" : "not "}taken before a later one that waits`, () => {
    expect(match([{ ref: WRITE, status }, { ref: WRITE }], WRITE)).toBe(
      isOpen ? "step-1 pass" : "step-2 pass",
    );
  });
}

test("repeats stay with the running step, though an earlier one is unfinished", () => {
  expect(
    match(
      [
        { ref: READ, status: "failed" },
        { ref: READ, status: "running" },
      ],
      READ,
    ),
  ).toBe("step-2 pass");
});

test("two steps with one tool are told apart by the name the executor gives", () => {
  const rows = [{ ref: READ }, { ref: WRITE }, { ref: READ }];

  expect(match(rows, READ)).toBe("step-1 pass");
  expect(match(rows, READ, "step-3")).toBe("step-3 pass");
  expect(match(rows, READ, "step-1")).toBe("step-1 pass");
});

test("a named step with another tool says nothing about this one", () => {
  expect(match([{ ref: READ }, { ref: WRITE }], READ, "step-2")).toBe("step-1 pass");
});

test("a named step is taken before a running one, and again when it is done", () => {
  expect(match([{ ref: READ, status: "running" }, { ref: READ }], READ, "step-2")).toBe(
    "step-2 pass",
  );
  expect(match([{ ref: READ, status: "done" }, { ref: READ }], READ, "step-1")).toBe("step-1 pass");
});

test("when every step with the tool is done the next call is unplanned", () => {
  expect(match([{ ref: READ, status: "done" }], READ)).toBeUndefined();
});

test("a rejected step is found when there is no other, so that its reason can be told", () => {
  expect(match([{ ref: READ, status: "rejected" }], READ)).toBe("step-1 pass");
  expect(
    match(
      [
        { ref: READ, status: "rejected" },
        { ref: READ, status: "done" },
      ],
      READ,
    ),
  ).toBe("step-1 pass");
});

test("a step that a person must check is checked", () => {
  expect(match([{ ref: WRITE, check: true }], WRITE)).toBe("step-1 check");
});

test("while a call could be for a step that is to be checked, naming another does not avoid it", () => {
  const rows = [{ ref: WRITE }, { ref: WRITE, check: true }];

  expect(match(rows, WRITE)).toBe("step-1 check");
  expect(match(rows, WRITE, "step-1")).toBe("step-1 check");
  expect(match(rows, WRITE, "step-2")).toBe("step-2 check");
});

test("once the checked step was done by a call, the others pass", () => {
  const rows = [{ ref: WRITE, check: true, status: "done" }, { ref: WRITE }] as const;

  expect(match(rows, WRITE)).toBe("step-2 pass");
});

test("calling the checked step done without a call does not lift the check of its tool", () => {
  const rows = [{ ref: WRITE, check: true, status: "done", calls: 0 }, { ref: WRITE }] as const;

  expect(match(rows, WRITE)).toBe("step-2 check");
});

test("what a person refused does not pass under the name of another step", () => {
  const rows = [{ ref: WRITE }, { ref: WRITE, check: true, status: "rejected" }] as const;

  expect(match(rows, WRITE)).toBe("step-1 check");
});

test("repeats stay with a step whose call was answered, until a later step begins", () => {
  const rows = [{ ref: READ, status: "done", mayRepeat: true }, { ref: READ }] as const;

  expect(match(rows, READ)).toBe("step-1 pass");
  expect(match([{ ref: READ, status: "done", mayRepeat: true }], READ)).toBe("step-1 pass");
  expect(match(rows, READ, "step-2")).toBe("step-2 pass");
});

test("while a checked step can be repeated, its tool is checked under every name", () => {
  const checked = { ref: WRITE, check: true, status: "done" } as const;

  expect(match([{ ...checked, mayRepeat: true }, { ref: WRITE }], WRITE, "step-2")).toBe(
    "step-2 check",
  );
  expect(match([checked, { ref: WRITE }], WRITE, "step-2")).toBe("step-2 pass");
});
