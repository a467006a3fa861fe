import { expect, test } from "vitest";
import { runCoalesced } from "./run-coalesced.ts";

/** The work waits at the gate of its run. */
function aWork() {
  const gates: (() => void)[] = [];
  const run = runCoalesced(() => new Promise((resolve) => gates.push(resolve)));
  return { run, gates };
}

test("coalesced work starts at once and never runs twice at a time", async () => {
  const { run, gates } = aWork();
  const first = run();
  void run();
  expect(gates).toHaveLength(1);
  gates[0]?.();
  await Promise.resolve();
  expect(gates).toHaveLength(2);
  gates[1]?.();
  await first;
  expect(gates).toHaveLength(2);
});

test("any number of requests during a run cause one more run, which all of them wait for", async () => {
  const { run, gates } = aWork();
  let done = 0;
  const all = [run(), run(), run(), run()].map((each) => each.then(() => done++));
  gates[0]?.();
  await new Promise(setImmediate);
  expect([gates.length, done]).toEqual([2, 0]);
  gates[1]?.();
  await Promise.all(all);
  expect([gates.length, done]).toEqual([2, 4]);
});

test("a request after the last run starts a new one", async () => {
  const { run, gates } = aWork();
  for (const count of [1, 2, 3]) {
    const done = run();
    expect(gates).toHaveLength(count);
    gates.at(-1)?.();
    await done;
  }
});
