import { expect, test } from "vitest";
import { createRowCache } from "./row-cache.ts";

function aCache(limit = 10) {
  const cache = createRowCache<string>(limit);
  const stored = new Map<string, string>();
  let queries = 0;
  const query = (key: string) => async () => {
    queries++;
    return stored.get(key) ?? "";
  };
  return {
    cache,
    stored,
    read: (key: string) => cache.read(key, query(key)),
    queries: () => queries,
  };
}

test("a cached row is not queried again", async () => {
  const { read, stored, queries } = aCache();
  stored.set("a", "1");

  expect([await read("a"), await read("a")]).toEqual(["1", "1"]);
  expect(queries()).toBe(1);
});

test("an invalidated row is queried at every read until the transaction ends, then cached again", async () => {
  const { cache, read, stored, queries } = aCache();
  await read("a");
  cache.invalidate("a");
  stored.set("a", "2");

  expect([await read("a"), await read("a")]).toEqual(["2", "2"]);
  cache.settle(true);
  expect([await read("a"), await read("a")]).toEqual(["2", "2"]);
  expect(queries()).toBe(4);
});

test("a row that was queried before a change and arrives after it is not cached", async () => {
  const { cache, read } = aCache();
  const { promise: late, resolve: arrive } = Promise.withResolvers<string>();
  const reading = cache.read("a", () => late);
  cache.invalidate("a");
  cache.settle(true);
  arrive("old");

  expect(await reading).toBe("old");
  expect(await read("a")).toBe("");
});

test("invalidating all rows empties the cache, and no row is cached until the transaction ends", async () => {
  const { cache, read, queries } = aCache();
  await read("a");
  cache.invalidateAll();
  await read("a");
  cache.settle(true);
  await read("a");
  await read("a");

  expect(queries()).toBe(3);
});

test("a full row cache evicts the oldest row", async () => {
  const { read, queries } = aCache(2);
  for (const key of ["a", "b", "c", "c", "b"]) await read(key);
  expect(queries()).toBe(3);
  await read("a");
  expect(queries()).toBe(4);
});

test("a written row is cached after the commit, not before", async () => {
  const { cache, read, stored, queries } = aCache();
  cache.invalidate("a");
  cache.write("a", "2");
  stored.set("a", "1");
  expect(await read("a")).toBe("1");

  cache.settle(true);

  expect(await read("a")).toBe("2");
  expect(queries()).toBe(1);
});

test("a row whose write was rolled back is queried again", async () => {
  const { cache, read, stored } = aCache();
  cache.invalidate("a");
  cache.write("a", "2");
  cache.settle(false);
  stored.set("a", "1");

  expect(await read("a")).toBe("1");
});

test("a written row that is invalidated again before the commit is not cached", async () => {
  const { cache, read, stored } = aCache();
  cache.invalidate("a");
  cache.write("a", "2");
  cache.invalidate("a");
  cache.settle(true);
  stored.set("a", "3");

  expect(await read("a")).toBe("3");
});
