import { expect, test } from "vitest";
import {
  decisionValue,
  groupValue,
  readDecisionValue,
  readGroupValue,
  readTaskValue,
  showsSame,
  taskValue,
} from "./button-values.ts";

test("the value of a decision names the approval, its version and what is shown", () => {
  const approval = { id: "apr-01", version: 2, shownHash: "0123456789abcdef0123" } as const;
  const read = readDecisionValue(decisionValue(approval));

  expect(read).toEqual({ approvalId: "apr-01", version: 2, shown: "0123456789abcdef" });
  expect(read && showsSame(read, approval)).toBe(true);
  expect(read && showsSame(read, { shownHash: `9${approval.shownHash}` })).toBe(false);
});

test("values of tasks and groups are read back", () => {
  expect(readTaskValue(taskValue("task-1"))).toEqual({ taskId: "task-1", executionId: null });
  const attempt = { taskId: "task-1", executionId: "exe-1" };
  expect(readTaskValue(taskValue("task-1", "exe-1"))).toEqual(attempt);
  expect(readGroupValue(groupValue("grp-1"))).toBe("grp-1");
});

test.each(["", "d1", "d1:apr-1", "d1:apr-1:x:00", "d1::1:00", "d1:a:1:b:c", "t1:a:", "t1:a:b:c"])(
  "the value %j is refused",
  (value) => {
    expect(readDecisionValue(value)).toBeUndefined();
    expect(readTaskValue(value)).toBeUndefined();
    expect(readGroupValue(value)).toBeUndefined();
  },
);
