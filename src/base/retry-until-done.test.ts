import { expect, test } from "vitest";
import { retryUntilDone } from "./retry-until-done.ts";

test("work that fails is tried again until it succeeds, and every failure is reported", async () => {
  const failures: string[] = [];
  const done = Promise.withResolvers<void>();
  let tries = 0;
  const first = retryUntilDone(
    async () => {
      tries++;
      if (tries < 3) throw new Error(`try ${tries}`);
      done.resolve();
    },
    (error) => failures.push(String(error)),
    1,
  );
  await first;
  expect(tries).toBe(1);
  await keepAlive(done.promise);
  expect([tries, failures]).toEqual([3, ["Error: try 1", "Error: try 2"]]);
});

test("the first attempt begins at once, and work that succeeds runs only once", async () => {
  let tries = 0;
  const first = retryUntilDone(
    () => void tries++,
    () => expect.unreachable(),
    1,
  );
  expect(tries).toBe(1);
  await first;
  await keepAlive(new Promise((resolve) => setTimeout(resolve, 20)));
  expect(tries).toBe(1);
});

/** The timers of the retries do not keep the process alive. */
async function keepAlive(wait: Promise<void>): Promise<void> {
  const timer = setInterval(() => {}, 1_000);
  await wait;
  clearInterval(timer);
}
