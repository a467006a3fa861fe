import { expect, test } from "vitest";
import { NOON } from "../../test/kit/builders.ts";
import { someEvents } from "../../test/kit/events.ts";
import { createLive, type LiveEvent } from "./live.ts";

const IDS = { groupId: "grp-1-a", agentId: "impl-code-1-a", at: NOON } as const;
const HAPPENED = {
  type: "agent:status_update",
  ...IDS,
  data: { status: "running", toolCallCount: 3 },
} as const;

test("live events have numbers of their own, and a stored event keeps its id beside them", () => {
  const events = someEvents();
  const live = createLive("epoch", events);
  const seen: LiveEvent[] = [];
  live.subscribe((event) => seen.push(event));

  events.publish(HAPPENED, 41);
  events.emit(HAPPENED);

  expect(seen.map(({ seq, id }) => [seq, id])).toEqual([
    [1, 41],
    [2, null],
  ]);
  expect(live.seq()).toBe(2);
});

test("the ring of live events answers from any number it still holds, and says when it cannot", () => {
  const events = someEvents();
  const live = createLive("epoch", events, 3);
  for (let count = 0; count < 5; count++) events.emit(HAPPENED);

  expect(live.since(5)).toEqual([]);
  expect(live.since(2)?.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  expect(live.since(1)).toBeUndefined();
  expect(live.since(0)).toBeUndefined();
  expect(live.since(6)).toBeUndefined();
});

test("the ring of live events truncates a long text between characters", () => {
  const events = someEvents();
  const live = createLive("epoch", events);
  const summary = `あ${"😀".repeat(5_000)}`;

  events.publish({ type: "agent:result_reported", ...IDS, data: { status: "success", summary } });

  const [event] = live.since(0) ?? [];
  expect(event?.data).toEqual({ status: "success", summary: `あ${"😀".repeat(999)}…` });
});

test("a listener of live events that has unsubscribed gets no more events", () => {
  const events = someEvents();
  const live = createLive("epoch", events);
  let count = 0;
  const leave = live.subscribe(() => count++);

  events.emit(HAPPENED);
  leave();
  events.emit(HAPPENED);

  expect(count).toBe(1);
});

test("progress that comes after the end of its agent is not shown, and that of others is", () => {
  const events = someEvents();
  const live = createLive("epoch", events);
  const data = { status: "completed", result: "success", duration_ms: 5 } as const;

  events.publish({ type: "agent:completed", ...IDS, data }, 1);
  events.emit(HAPPENED);
  events.emit({ ...HAPPENED, agentId: "impl-code-1-b" });

  expect(live.since(0)?.map(({ type, agentId }) => [type, agentId])).toEqual([
    ["agent:completed", "impl-code-1-a"],
    ["agent:status_update", "impl-code-1-b"],
  ]);
});
