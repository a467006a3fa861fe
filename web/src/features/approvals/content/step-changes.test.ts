import { expect, test } from "vitest";
import type { WireStep } from "../../../api/task-detail.ts";
import { compareSteps } from "./step-changes.ts";

function aStep(tool: string, title = tool, over: Partial<WireStep> = {}): WireStep {
  return { stepId: title, order: 1, title, server: "s", tool, requiresHumanCheck: false, ...over };
}

const shown = (before: readonly WireStep[], after: readonly WireStep[]) =>
  compareSteps(before, after).map((change) => {
    const step = change.kind === "removed" ? change.before : change.after;
    return `${change.kind} ${step.title}`;
  });

test("steps are paired by their tool, in order", () => {
  const before = [aStep("read"), aStep("count"), aStep("write")];
  const after = [aStep("read"), aStep("check"), aStep("write")];
  expect(shown(before, after)).toEqual(["same read", "removed count", "added check", "same write"]);
});

test("another title, or another human check, of the same tool is a change", () => {
  expect(shown([aStep("read", "old")], [aStep("read", "new")])).toEqual(["changed new"]);
  expect(shown([aStep("read")], [aStep("read", "read", { requiresHumanCheck: true })])).toEqual([
    "changed read",
  ]);
});

test("the same tool of another server is another step", () => {
  expect(shown([aStep("read")], [aStep("read", "read", { server: "t" })])).toEqual([
    "removed read",
    "added read",
  ]);
});

test("drafts too long to compare are paired by place", () => {
  const long = Array.from({ length: 600 }, (_, index) => aStep(`t${index}`));
  expect(shown(long, [aStep("new"), ...long]).slice(0, 2)).toEqual(["changed new", "changed t0"]);
});
