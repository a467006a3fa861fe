import { expect, test } from "vitest";
import { decideIsolation, type IsolationCandidate } from "./decide-isolation.ts";

const writer: IsolationCandidate = {
  isolation: "auto",
  tree: "/repo",
  isWriter: true,
  stageIndex: null,
  hasBase: false,
};
const reader: IsolationCandidate = { ...writer, isWriter: false };
const free = () => false;

test("a single writer works in the caller's tree", () => {
  expect(decideIsolation([writer], free)).toEqual([false]);
});

test("two writers that run at the same time are isolated, and readers beside them are not", () => {
  expect(decideIsolation([writer, { ...writer }, reader], free)).toEqual([true, true, false]);
});

test("writers in different trees do not disturb each other", () => {
  expect(decideIsolation([writer, { ...writer, tree: "/other" }], free)).toEqual([false, false]);
});

test("a writer is isolated from one that is at work already", () => {
  expect(decideIsolation([writer], (tree) => tree === "/repo")).toEqual([true]);
});

test("outside a repository auto isolates nothing", () => {
  const outside = { ...writer, tree: null };
  expect(decideIsolation([outside, { ...outside }], free)).toEqual([false, false]);
});

test("what the caller asks for is followed: a worktree, none, or a base that needs one", () => {
  const wanted = [
    { ...reader, isolation: "worktree" as const },
    { ...writer, isolation: "none" as const },
    { ...writer, hasBase: true },
  ];
  expect(decideIsolation(wanted, () => true)).toEqual([true, false, true]);
});

test("single writers of stages that follow each other share the caller's tree", () => {
  const stages = [0, 1, 2].map((stageIndex) => ({ ...writer, stageIndex }));
  expect(decideIsolation(stages, free)).toEqual([false, false, false]);
});

test("one stage with two writers isolates the whole plan, and readers of later stages see the result", () => {
  const plan = [
    { ...writer, stageIndex: 0 },
    { ...reader, stageIndex: 0 },
    { ...writer, stageIndex: 1 },
    { ...writer, stageIndex: 1 },
    { ...reader, stageIndex: 2 },
    { ...writer, stageIndex: 2, isolation: "none" as const },
  ];
  expect(decideIsolation(plan, free)).toEqual([true, false, true, true, true, false]);
});
