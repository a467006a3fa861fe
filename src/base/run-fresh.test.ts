import { expect, test } from "vitest";
import { runFresh } from "./run-fresh.ts";

test("requests during a run share one run that begins after it, and no caller waits for a third", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const request = runFresh(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const done: string[] = [];

  void request().then(() => done.push("first"));
  void request().then(() => done.push("second"));
  void request().then(() => done.push("third"));
  expect(runs).toHaveLength(1);

  runs[0]?.resolve();
  await expect.poll(() => runs.length).toBe(2);
  expect(done).toEqual(["first"]);
  const fourth = request();
  runs[1]?.resolve();
  await expect.poll(() => done).toEqual(["first", "second", "third"]);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve();
  await fourth;
});

test("a run that fails rejects its requests only", async () => {
  let runs = 0;
  const request = runFresh(async () => {
    runs += 1;
    if (runs === 1) throw new Error("no");
  });

  const first = request();
  const second = request();

  await expect(first).rejects.toThrow("no");
  await expect(second).resolves.toBeUndefined();
});
