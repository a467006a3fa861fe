import { expect, test } from "vitest";
import { createPacer, type Turn } from "./pacer.ts";

const UPDATE: Turn = { team: "T1", method: "chat.update", isUrgent: false };
const URGENT: Turn = { ...UPDATE, isUrgent: true };

function aPacer() {
  let now = 1_000;
  const pacer = createPacer({ now: () => now });
  return { ...pacer, advance: (ms: number) => void (now += ms) };
}

test("the pacer lets progress through at an even pace and keeps the burst for urgent calls", () => {
  const { take, advance } = aPacer();

  for (let n = 0; n < 2; n++) expect(take(UPDATE)).toBe(0);
  expect(take(UPDATE)).toBeGreaterThan(0);
  for (let n = 0; n < 8; n++) expect(take(URGENT)).toBe(0);
  expect(take(URGENT)).toBeGreaterThan(0);

  advance(take(URGENT));
  expect(take(URGENT)).toBe(0);
});

test("the pacer allows 45 updates of progress in a minute", () => {
  const { take, advance } = aPacer();
  let sent = 0;
  for (let ms = 0; ms < 60_000; ms += 100) {
    if (take(UPDATE) === 0) sent++;
    advance(100);
  }

  expect(sent).toBeGreaterThanOrEqual(43);
  expect(sent).toBeLessThanOrEqual(47);
});

test("the pacer lets one message a second into a channel", () => {
  const { take, advance } = aPacer();
  const post = (channel: string, team = "T1"): number =>
    take({ team, method: "chat.postMessage", channel, isUrgent: true });

  expect([post("C1"), post("C2"), post("C1", "T2")]).toEqual([0, 0, 0]);
  expect(post("C1")).toBe(1_000);
  advance(1_000);
  expect(post("C1")).toBe(0);
});

test("a pause holds one method of one workspace", () => {
  const { take, pause, advance } = aPacer();

  pause("T1", "chat.update", 30_000);

  expect(take(URGENT)).toBe(30_000);
  expect(take({ ...URGENT, team: "T2" })).toBe(0);
  expect(take({ ...URGENT, method: "chat.postMessage", channel: "C1" })).toBe(0);
  advance(30_000);
  expect(take(URGENT)).toBe(0);
});
