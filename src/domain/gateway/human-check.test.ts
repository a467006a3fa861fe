import { expect, test } from "vitest";
import { isCheckedOutsideTask, withHumanCheck, type CheckedTool } from "./human-check.ts";

function aTool(over: Partial<CheckedTool> = {}): CheckedTool {
  return { humanCheck: "as-planned", isReadOnly: false, annotations: null, ...over };
}

test.each<[Partial<CheckedTool>, boolean]>([
  [{}, false],
  [{ annotations: {} }, false],
  [{ annotations: { destructiveHint: true } }, true],
  [{ annotations: { destructiveHint: false } }, false],
  [{ annotations: { destructiveHint: true, readOnlyHint: true } }, false],
  [{ annotations: { destructiveHint: true }, isReadOnly: true }, false],
  [{ annotations: { destructiveHint: true }, humanCheck: "never" }, false],
  [{ humanCheck: "always" }, true],
  [{ humanCheck: "always", isReadOnly: true }, true],
])("isCheckedOutsideTask of %j is %j", (over, isChecked) => {
  expect(isCheckedOutsideTask(aTool(over))).toBe(isChecked);
});

test("a drafted step shows the human check that the configuration requires or excludes", () => {
  const step = { id: "step-1", order: 1, title: "書く", server: "hr", tool: "write" } as const;

  const [planned, unplanned] = [true, false].map((requiresHumanCheck) => ({
    ...step,
    requiresHumanCheck,
  }));
  if (!planned || !unplanned) throw new Error("two steps");

  expect(withHumanCheck(unplanned, "always").requiresHumanCheck).toBe(true);
  expect(withHumanCheck(planned, "never").requiresHumanCheck).toBe(false);
  expect(withHumanCheck(planned, "as-planned")).toBe(planned);
});
