import { expect, test } from "vitest";
import { NOON } from "../../test/kit/builders.ts";
import { createLive, type LiveEvent } from "./live.ts";

const happened = { type: "group:created", groupId: null, agentId: null, data: {}, at: NOON };

test("what is told gets numbers of its own; a committed event keeps its id beside them", () => {
  const live = createLive("epoch");
  const heard: LiveEvent[] = [];
  live.subscribe((event) => heard.push(event));

  live.publish([{ ...happened, seq: 41 }, happened]);
  live.tell(happened);

  expect(heard.map(({ seq, id }) => [seq, id])).toEqual([
    [1, 41],
    [2, null],
    [3, null],
  ]);
  expect(live.seq()).toBe(3);
});

test("the ring answers from any number it still holds, and says so when it cannot", () => {
  const live = createLive("epoch", 3);
  for (let told = 0; told < 5; told++) live.tell(happened);

  expect(live.since(5)).toEqual([]);
  expect(live.since(2)?.map(({ seq }) => seq)).toEqual([3, 4, 5]);
  expect(live.since(1)).toBeUndefined();
  expect(live.since(0)).toBeUndefined();
  expect(live.since(6)).toBeUndefined();
});

test("a long text is cut between characters: five thousand of them must fit", () => {
  const live = createLive("epoch");

  live.tell({ ...happened, data: { summary: `あ${"😀".repeat(5_000)}`, count: 3 } });

  const [event] = live.since(0) ?? [];
  expect(event?.data).toEqual({ summary: `あ${"😀".repeat(999)}…`, count: 3 });
});

test("who has left hears nothing more", () => {
  const live = createLive("epoch");
  let heard = 0;
  const leave = live.subscribe(() => heard++);

  live.tell(happened);
  leave();
  live.tell(happened);

  expect(heard).toBe(1);
});
