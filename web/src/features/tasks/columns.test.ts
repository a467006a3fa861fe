import { expect, test } from "vitest";
import { aWireApproval, aWireTask } from "../../../../test/kit/wire.ts";
import { changesOf, columnOf, COLUMNS, dropOn, STATUSES_OF, waitingTasks } from "./columns.ts";

test("every column reads the tasks that it shows", () => {
  for (const column of COLUMNS)
    for (const status of STATUSES_OF[column])
      expect(columnOf(aWireTask({ status }), new Map())).toBe(column);
});

test("a task whose execution waits for a person stands among the waiting", () => {
  const waiting = waitingTasks(new Map([["apr-1", aWireApproval({ kind: "step" })]]));
  expect(columnOf(aWireTask(), waiting)).toBe("waiting");
  expect(columnOf(aWireTask({ status: "completed" }), waiting)).toBe("done");
});

test("the oldest of several approvals of a task counts", () => {
  const [older, newer] = [
    aWireApproval({ approvalId: "old", createdAt: "2026-11-14T00:00:00Z" }),
    aWireApproval({ approvalId: "new", createdAt: "2026-11-15T00:00:00Z" }),
  ];
  const approvals = new Map([newer, older].map((each) => [each.approvalId, each]));
  expect(waitingTasks(approvals).get("task-1")).toBe(older);
});

test("a drop never means what the task's menu does not offer", () => {
  const drops = Object.values(STATUSES_OF)
    .flat()
    .flatMap((status) => COLUMNS.map((column) => ({ status, change: dropOn(column, status) })));
  for (const { status, change } of drops)
    expect([undefined, ...changesOf({ status })]).toContain(change);
  expect(dropOn("blocked", "in_progress")).toBe("block");
  expect(dropOn("done", "in_progress")).toBeUndefined();
});
