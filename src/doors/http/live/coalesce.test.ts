import { expect, test } from "vitest";
import { NOON } from "../../../../test/kit/builders.ts";
import type { LiveEvent } from "../../../app/live.ts";
import { coalesce } from "./coalesce.ts";

type Update = Extract<LiveEvent, { type: "agent:status_update" }>;

const AGENT = { groupId: "grp-1-a", agentId: "impl-code-1-a", at: NOON } as const;

function event(seq: number, over: Partial<Update> = {}): Update {
  const data = { status: "running" } as const;
  return { seq, id: null, type: "agent:status_update", ...AGENT, data, ...over };
}

function completed(seq: number, id: number): LiveEvent {
  return { seq, id, type: "agent:completed", ...AGENT, data: { status: "completed" } };
}

test("the last status update of an agent is kept, with members that only an earlier one has", () => {
  const [only, ...others] = coalesce([
    event(1, { id: 9, data: { status: "running", promptSentAt: "x" } }),
    event(2, { data: { status: "running", toolCallCount: 1 } }),
    event(3, { data: { status: "running", toolCallCount: 2 } }),
  ]);

  expect(others).toEqual([]);
  expect(only).toMatchObject({
    seq: 3,
    id: 9,
    data: { status: "running", promptSentAt: "x", toolCallCount: 2 },
  });
});

test("updates of different agents, and everything else, stay in their order", () => {
  const events = coalesce([
    event(1),
    completed(2, 5),
    event(3, { agentId: "impl-code-1-b" }),
    completed(4, 6),
    event(5),
  ]);

  expect(events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
});

test("the ids of an event are inside its data", () => {
  const [first] = coalesce([event(1, { id: 3 })]);

  expect(first).toEqual({
    seq: 1,
    id: 3,
    type: "agent:status_update",
    data: {
      groupId: "grp-1-a",
      agentId: "impl-code-1-a",
      at: "2026-11-15T09:00:00.000Z",
      status: "running",
    },
  });
});
