import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import type { AppEvent } from "../../contract/events/events.ts";
import { jobsOfEvent } from "./jobs-of-event.ts";

const AT = { groupId: null, agentId: null, at: NOON } as const;
const APPROVAL = {
  approvalId: "apr-1",
  taskId: "task-1",
  executionId: null,
  stepId: null,
  version: 1,
  title: "Send it?",
  pending: 0,
  kind: "step",
  status: "approved",
  by: "mika",
  reason: null,
} as const;

test("the end of an agent, a change of a task and a decision each have a job about their subject", () => {
  const ended = {
    type: "agent:completed",
    groupId: "grp-1-a",
    agentId: "impl-code-1-a",
    at: NOON,
    data: { status: "failed" },
  } as const;
  const decided: AppEvent = { type: "approval:decided", ...AT, taskId: "task-1", data: APPROVAL };

  expect(jobsOfEvent(ended)).toEqual([{ kind: "agent_settled", id: "impl-code-1-a" }]);
  expect(jobsOfEvent(decided)).toEqual([{ kind: "task_due", id: "task-1" }]);
});

test("an answered question may release a stage, with and without a task", () => {
  const question = { ...APPROVAL, kind: "question" } as const;
  const { by: _by, reason: _reason, ...closed } = question;

  expect(
    jobsOfEvent({ type: "approval:decided", ...AT, taskId: "task-1", data: question }),
  ).toEqual([
    { kind: "task_due", id: "task-1" },
    { kind: "question_answered", id: "apr-1" },
  ]);
  expect(jobsOfEvent({ type: "approval:closed", ...AT, data: closed })).toEqual([
    { kind: "question_answered", id: "apr-1" },
  ]);
});

test("an event that nothing must follow has no job", () => {
  expect(
    jobsOfEvent({
      type: "group:created",
      groupId: "grp-1-a",
      agentId: null,
      at: NOON,
      data: { description: "x", mode: "concurrent" },
    }),
  ).toEqual([]);
});
