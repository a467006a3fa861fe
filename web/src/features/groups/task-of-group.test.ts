import { expect, test } from "vitest";
import type { WireTask } from "../../../../src/contract/shapes/tasks.ts";
import { taskOf } from "./task-of-group.ts";

const group = (groupId: string, parentGroupId?: string) => ({
  groupId,
  description: groupId,
  mode: "concurrent" as const,
  status: "deleted" as const,
  createdAt: "2026-11-17T00:00:00.000Z",
  deletedAt: null,
  ...(parentGroupId !== undefined && { parentGroupId }),
});
const task: WireTask = {
  taskId: "task-1",
  request: "x",
  requester: "local",
  door: "web",
  status: "completed",
  title: "題",
  description: null,
  priority: "medium",
  type: null,
  workingDirectory: "/",
  groupId: "root",
  promptId: null,
  processId: null,
  executionId: null,
  regenerations: 0,
  failure: null,
  statusBy: null,
  statusReason: null,
  createdAt: "2026-11-17T00:00:00.000Z",
  updatedAt: "2026-11-17T00:00:00.000Z",
  endedAt: null,
  version: 1,
};
const groups = new Map(
  [group("root"), group("step", "root"), group("other"), group("a", "b"), group("b", "a")].map(
    (each) => [each.groupId, each],
  ),
);
const tasks = new Map([[task.groupId, task]]);

test.for([
  ["root", "task-1"],
  ["step", "task-1"],
  ["other", undefined],
  ["a", undefined],
] as const)("taskOf of the group %s is %s", ([id, found]) => {
  const asked = groups.get(id);
  expect(asked && taskOf(asked, groups, tasks)?.taskId).toBe(found);
});

test("taskOf finds the task of a step whose parent group is not loaded", () => {
  expect(taskOf(group("step", "root"), new Map(), tasks)).toBe(task);
});
