import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, onTestFinished } from "vitest";

type Cleanup = () => unknown;

/** The cleanups of what is being made for a whole file. */
const keeping = new AsyncLocalStorage<Cleanup[]>();

/** Runs when the test ends, or with the file for what its tests share. */
export function whenDone(cleanup: Cleanup): void {
  const kept = keeping.getStore();
  if (kept) kept.push(cleanup);
  else onTestFinished(async () => void (await cleanup()));
}

/** Something that is made by the first test that needs it, and ends with its file. */
export function sharedByTests<T>(make: () => Promise<T>): () => Promise<T> {
  const cleanups: Cleanup[] = [];
  let made: Promise<T> | undefined;
  afterAll(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  return () => (made ??= keeping.run(cleanups, make));
}
