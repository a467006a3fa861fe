import { expect, test } from "vitest";
import { createSharedClock } from "./shared-clock.ts";

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 8, 14, 12);

/** A host and a database with clocks of their own; each question takes `tookMs`. */
async function aHost({ aheadMs = 0, tookMs = 10 } = {}) {
  const lines: unknown[] = [];
  const note = (message: string, fields?: unknown) => void lines.push([message, fields]);
  const state = { passed: 0, ahead: aheadMs, tookMs, isBackSlow: false };
  const clock = await createSharedClock({
    host: { now: () => NOON + state.passed + state.ahead },
    monotonic: () => state.passed,
    async ask() {
      const wayThere = state.isBackSlow ? 0 : state.tookMs / 2;
      const there = NOON + state.passed + wayThere;
      state.passed += state.tookMs;
      return there;
    },
    log: { debug: note, info: note, warn: note, error: note },
  });
  /** The time of the database. */
  const right = () => NOON + state.passed;
  return { clock, lines, state, right };
}

const WARNING = "The clock of this host is wrong; the time of the database is used instead.";

test.each([DAY_MS, -DAY_MS])(
  "a server whose host is %i ms ahead has the time of the database from the start, and warns once",
  async (aheadMs) => {
    const { clock, lines, state, right } = await aHost({ aheadMs });

    expect(clock.now()).toBe(right());
    state.passed += 60_000;
    expect(clock.now()).toBe(right());
    await clock.compare();
    await clock.compare();

    expect(clock.now()).toBe(right());
    expect(clock.offsetMs()).toBe(-aheadMs);
    expect(clock.wrongMs()).toBe(aheadMs);
    expect(lines).toEqual([[WARNING, { aheadMs }]]);
  },
);

test("small differences do not move the clock of a server", async () => {
  const { clock, lines, state, right } = await aHost({ aheadMs: 200 });
  expect(clock.now()).toBe(right() + 200);

  for (let n = 0; n < 10; n++) {
    const before = clock.now();
    state.tookMs = n * 80;
    await clock.compare();
    expect(clock.now() - before).toBe(n * 80);
  }

  expect(clock.wrongMs()).toBe(0);
  expect(lines).toEqual([]);
});

test("a clock that is set while the server runs changes nothing, and each change is logged once", async () => {
  const { clock, lines, state, right } = await aHost();

  state.ahead = DAY_MS;
  expect(clock.now()).toBe(right());
  for (let n = 0; n < 3; n++) await clock.compare();
  expect(clock.now()).toBe(right());
  // It stays about as wrong.
  state.ahead = DAY_MS + 700;
  await clock.compare();
  state.ahead = 0;
  for (let n = 0; n < 3; n++) await clock.compare();

  expect(clock.now()).toBe(right());
  expect(lines).toEqual([
    [WARNING, { aheadMs: DAY_MS }],
    ["The clock of this host is right again.", undefined],
  ]);
});

test("the first question, which opens the connection, does not spoil the time of a server", async () => {
  const slow = [900, 10, 10, 10, 10];
  let passed = 0;
  const clock = await createSharedClock({
    host: { now: () => NOON + passed + DAY_MS },
    monotonic: () => passed,
    async ask() {
      passed += slow.shift() ?? 0;
      return NOON + passed;
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });

  expect(clock.now() - (NOON + passed)).toBeLessThanOrEqual(5);
});

test("an answer that took long does not move the clock of a server", async () => {
  const { clock, state, right } = await aHost();

  state.tookMs = 8_000;
  state.isBackSlow = true;
  await clock.compare();

  expect(clock.now()).toBe(right());
});
