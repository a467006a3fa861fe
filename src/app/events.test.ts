import { expect, expectTypeOf, test } from "vitest";
import { NOON } from "../../test/kit/builders.ts";
import { someEvents } from "../../test/kit/events.ts";
import type { EventOf } from "../contract/events/events.ts";

const IDS = { groupId: "grp-1-a", agentId: "impl-code-1-a", at: NOON } as const;
const CREATED = {
  type: "group:created",
  ...IDS,
  data: { description: "x", mode: "concurrent" },
} as const;
const ENDED = { type: "agent:completed", ...IDS, data: { status: "failed" } } as const;
const UPDATED = { type: "agent:status_update", ...IDS, data: { status: "running" } } as const;

test("a subscription gets the events of its types, with their types, and no others", () => {
  const events = someEvents();
  const seen: string[] = [];
  events.on(["agent:completed", "agent:status_update"], (event) => {
    expectTypeOf(event).toEqualTypeOf<EventOf<"agent:completed" | "agent:status_update">>();
    seen.push(`${event.type} ${event.data.status}`);
  });

  events.publish(CREATED);
  events.publish(ENDED);
  events.emit(UPDATED);

  expect(seen).toEqual(["agent:completed failed", "agent:status_update running"]);
});

test("an unknown event name and a missing field are type errors", () => {
  const events = someEvents();

  // @ts-expect-error there is no such event
  events.on(["agent:finished"], () => {});
  // @ts-expect-error `status` is missing
  events.emit({ ...UPDATED, data: {} });
  // @ts-expect-error an event of a group has no `approvalId`
  events.on(["group:created"], ({ data }) => data.approvalId);
  // @ts-expect-error a stored event is emitted by a transaction
  events.emit(CREATED);

  expect(events.errors).toEqual([]);
});

function fail(): never {
  throw new Error("broken");
}

test("a subscriber that throws is logged and keeps the event from no other subscriber", () => {
  const events = someEvents();
  const seen: string[] = [];
  events.onAny(fail);
  events.on(["agent:completed"], fail);
  events.on(["agent:completed"], ({ type }) => seen.push(type));
  events.onAny(({ type }) => seen.push(`any ${type}`));

  events.publish(ENDED);

  expect(seen).toEqual(["any agent:completed", "agent:completed"]);
  expect(events.errors).toHaveLength(2);
});

test("a subscription that has ended gets no more events, and the others go on", () => {
  const events = someEvents();
  const seen: string[] = [];
  const end = events.on(["agent:completed"], () => seen.push("first"));
  events.on(["agent:completed"], () => seen.push("second"));

  events.publish(ENDED);
  end();
  events.publish(ENDED);

  expect(seen).toEqual(["first", "second", "second"]);
});
