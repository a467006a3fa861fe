import { expect, test } from "vitest";
import {
  problemAfter,
  runnerStateOf,
  type ProblemKind,
  type RunnerProblem,
} from "./runner-problem.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;

const after = (
  known: RunnerProblem | undefined,
  kind: ProblemKind,
  now = NOW,
  resetsAt: number | null = null,
) => problemAfter(known, { runner: "claude", kind, resetsAt, reason: "the limit", now });

test("a quota with a known reset pauses until the reset", () => {
  expect(after(undefined, "quota", NOW, NOW + 5 * MINUTE)).toMatchObject({
    until: NOW + 5 * MINUTE,
    isResetKnown: true,
    since: NOW,
    count: 1,
  });
});

test("a reset at a fraction of a millisecond pauses until the next whole one", () => {
  expect(after(undefined, "quota", NOW, NOW + 0.5).until).toBe(NOW + 1);
});

test.each([
  ["in the past", NOW - 1],
  ["years away", NOW + 10 ** 12],
])("a reset time that is %s is not believed", (_what, resetsAt) => {
  expect(after(undefined, "quota", NOW, resetsAt)).toMatchObject({
    until: NOW + 15 * MINUTE,
    isResetKnown: false,
  });
});

test("a quota without a reset time is tried again after a time that doubles up to four hours", () => {
  const minutes: number[] = [];
  let known: RunnerProblem | undefined;
  let now = NOW;
  for (let time = 0; time < 6; time++) {
    known = after(known, "quota", now);
    minutes.push(((known.until ?? 0) - now) / MINUTE);
    now = known.until ?? now;
  }
  expect(minutes).toEqual([15, 30, 60, 120, 240, 240]);
});

test.each(["overloaded", "rate-limit"] as const)("%s causes a short pause", (kind) => {
  expect(after(undefined, kind).until).toBe(NOW + MINUTE / 2);
});

test("agents that fail during a pause do not double its back-off", () => {
  const paused = after(undefined, "quota");

  expect(after(paused, "quota", NOW + 1)).toMatchObject({ until: NOW + 1 + 15 * MINUTE, count: 1 });
  expect(after(paused, "overloaded", NOW + 1)).toBe(paused);
  expect(after(paused, "quota", NOW + 1, NOW + 60 * MINUTE)).toMatchObject({
    until: NOW + 60 * MINUTE,
    count: 1,
  });
});

test("a back-off does not replace the reset that the vendor has named", () => {
  const paused = after(undefined, "quota", NOW, NOW + MINUTE);

  expect(after(paused, "quota", NOW + 1)).toBe(paused);
});

test("a quota replaces the short pause of an overload", () => {
  expect(after(after(undefined, "overloaded"), "quota")).toMatchObject({ kind: "quota" });
});

test("signed out has no end of its own and keeps its beginning", () => {
  const first = after(undefined, "signed-out");

  expect(after(first, "signed-out", NOW + 1)).toMatchObject({ since: NOW, until: null });
  expect(runnerStateOf(first, NOW + 10 ** 9)).toBe("signed-out");
});

test("a pause becomes a trial when its time is over", () => {
  const paused = after(undefined, "quota");

  expect(runnerStateOf(undefined, NOW)).toBe("ready");
  expect(runnerStateOf(paused, NOW)).toBe("paused");
  expect(runnerStateOf(paused, NOW + 15 * MINUTE)).toBe("trial");
});
