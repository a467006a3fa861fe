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

test("matchStep finds no step for an unplanned tool", () => {
  expect(match([{ ref: READ }], WRITE)).toBeUndefined();
});

test("matchStep treats the same name on another server as another tool", () => {
  expect(match([{ ref: WRITE }], { server: "other", tool: "write_rows" })).toBeUndefined();
  expect(match([{ ref: { server: null, tool: "agent:research" } }], READ)).toBeUndefined();
});

test("matchStep assigns a call to the earliest unfinished step with its tool", () => {
  expect(match([{ ref: READ }, { ref: WRITE }, { ref: WRITE }], WRITE)).toBe("step-2 pass");
  expect(match([{ ref: WRITE, status: "done" }, { ref: WRITE }], WRITE)).toBe("step-2 pass");
});

test("matchStep goes by the order of the steps, not by their place in the list", () => {
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

test("repeated calls stay with the running step, even if an earlier step is unfinished", () => {
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

test("matchStep takes the step that the executor named if two steps have the same tool", () => {
  const rows = [{ ref: READ }, { ref: WRITE }, { ref: READ }];

  expect(match(rows, READ)).toBe("step-1 pass");
  expect(match(rows, READ, "step-3")).toBe("step-3 pass");
  expect(match(rows, READ, "step-1")).toBe("step-1 pass");
});

test("a named step with another tool is ignored", () => {
  expect(match([{ ref: READ }, { ref: WRITE }], READ, "step-2")).toBe("step-1 pass");
});

test("a named step is taken before a running one, and again when it is done", () => {
  expect(match([{ ref: READ, status: "running" }, { ref: READ }], READ, "step-2")).toBe(
    "step-2 pass",
  );
  expect(match([{ ref: READ, status: "done" }, { ref: READ }], READ, "step-1")).toBe("step-1 pass");
});

test("when every step with the tool is done, the next call is unplanned", () => {
  expect(match([{ ref: READ, status: "done" }], READ)).toBeUndefined();
});

test("a rejected step is matched only if there is no other, so that the refusal can state its reason", () => {
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

test("a step that requires a human check is checked", () => {
  expect(match([{ ref: WRITE, check: true }], WRITE)).toBe("step-1 check");
});

test("naming another step does not avoid the check while the call could belong to a checked step", () => {
  const rows = [{ ref: WRITE }, { ref: WRITE, check: true }];

  expect(match(rows, WRITE)).toBe("step-1 check");
  expect(match(rows, WRITE, "step-1")).toBe("step-1 check");
  expect(match(rows, WRITE, "step-2")).toBe("step-2 check");
});

test("once a call has completed the checked step, calls of the other steps pass", () => {
  const rows = [{ ref: WRITE, check: true, status: "done" }, { ref: WRITE }] as const;

  expect(match(rows, WRITE)).toBe("step-2 pass");
});

test("reporting the checked step done without a call does not lift the check of its tool", () => {
  const rows = [{ ref: WRITE, check: true, status: "done", calls: 0 }, { ref: WRITE }] as const;

  expect(match(rows, WRITE)).toBe("step-2 check");
});

test("a call that a person rejected does not pass under the name of another step", () => {
  const rows = [{ ref: WRITE }, { ref: WRITE, check: true, status: "rejected" }] as const;

  expect(match(rows, WRITE)).toBe("step-1 check");
});

test("repeated calls stay with a step whose call was answered until a later step begins", () => {
  const rows = [{ ref: READ, status: "done", mayRepeat: true }, { ref: READ }] as const;

  expect(match(rows, READ)).toBe("step-1 pass");
  expect(match([{ ref: READ, status: "done", mayRepeat: true }], READ)).toBe("step-1 pass");
  expect(match(rows, READ, "step-2")).toBe("step-2 pass");
});

test("while a checked step can be repeated, its tool is checked under every step's name", () => {
  const checked = { ref: WRITE, check: true, status: "done" } as const;

  expect(match([{ ...checked, mayRepeat: true }, { ref: WRITE }], WRITE, "step-2")).toBe(
    "step-2 check",
  );
  expect(match([checked, { ref: WRITE }], WRITE, "step-2")).toBe("step-2 pass");
});
