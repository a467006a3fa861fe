import { expect, test } from "vitest";
import type { UpstreamProgress } from "../../app/ports/upstream.ts";
import { createProgress } from "./progress.ts";

test("progress of an upstream server passes as it is", () => {
  const { told, progress, later } = aProgress();
  for (const step of [0, 0.5, 1]) {
    progress.passOn({ progress: step, total: 1, message: `at ${step}` });
    later(50);
  }
  expect(told).toEqual([
    { progress: 0, total: 1, message: "at 0" },
    { progress: 0.5, total: 1, message: "at 0.5" },
    { progress: 1, total: 1, message: "at 1" },
  ]);
});

test("after beats of ours it is counted on from them, so that the number only grows", () => {
  const { told, progress, later } = aProgress();
  progress.beat("waiting for a person");
  progress.beat("still waiting");
  for (const step of [1, 1, 0, 2]) {
    progress.passOn({ progress: step, total: 2 });
    later(50);
  }
  expect(told.map((each) => each.progress)).toEqual([1, 2, 3, 4]);
  expect(told.at(-1)).toEqual({ progress: 4, total: 4 });
});

test("a server that tells without end does not drown its client", () => {
  const { told, progress, later } = aProgress();
  for (let step = 1; step <= 1_000; step++) {
    progress.passOn({ progress: step });
    later(1);
  }
  expect(told.length).toBeLessThanOrEqual(50);
});

function aProgress() {
  const told: UpstreamProgress[] = [];
  let now = 0;
  const progress = createProgress(
    (each) => told.push(each),
    () => now,
  );
  return { told, progress, later: (ms: number) => void (now += ms) };
}
