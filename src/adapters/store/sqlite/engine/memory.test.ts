import { expect, test } from "vitest";
import { createMemory } from "./memory.ts";

function aMemory(limit = 10) {
  const memory = createMemory<string>(limit);
  const stored = new Map<string, string>();
  let queries = 0;
  const query = (key: string) => async () => {
    queries++;
    return stored.get(key) ?? "";
  };
  return {
    memory,
    stored,
    read: (key: string) => memory.read(key, query(key)),
    queries: () => queries,
  };
}

test("what was read once is not asked for again", async () => {
  const { read, stored, queries } = aMemory();
  stored.set("a", "1");

  expect([await read("a"), await read("a")]).toEqual(["1", "1"]);
  expect(queries()).toBe(1);
});

test("while a transaction writes it, it is asked for every time; after that, once more", async () => {
  const { memory, read, stored, queries } = aMemory();
  await read("a");
  memory.touch("a");
  stored.set("a", "2");

  expect([await read("a"), await read("a")]).toEqual(["2", "2"]);
  memory.settle(true);
  expect([await read("a"), await read("a")]).toEqual(["2", "2"]);
  expect(queries()).toBe(4);
});

test("what was found before a change and arrives after it is not kept", async () => {
  const { memory, read } = aMemory();
  const { promise: late, resolve: arrive } = Promise.withResolvers<string>();
  const reading = memory.read("a", () => late);
  memory.touch("a");
  memory.settle(true);
  arrive("old");

  expect(await reading).toBe("old");
  expect(await read("a")).toBe("");
});

test("a change of everything leaves nothing, and nothing is kept until it is over", async () => {
  const { memory, read, queries } = aMemory();
  await read("a");
  memory.touchAll();
  await read("a");
  memory.settle(true);
  await read("a");
  await read("a");

  expect(queries()).toBe(3);
});

test("the oldest is forgotten when there are too many", async () => {
  const { read, queries } = aMemory(2);
  for (const key of ["a", "b", "c", "c", "b"]) await read(key);
  expect(queries()).toBe(3);
  await read("a");
  expect(queries()).toBe(4);
});

test("what a transaction wrote is remembered once it is committed, and not before", async () => {
  const { memory, read, stored, queries } = aMemory();
  memory.touch("a");
  memory.write("a", "2");
  stored.set("a", "1");
  expect(await read("a")).toBe("1");

  memory.settle(true);

  expect(await read("a")).toBe("2");
  expect(queries()).toBe(1);
});

test("what was written and taken back is asked for again", async () => {
  const { memory, read, stored } = aMemory();
  memory.touch("a");
  memory.write("a", "2");
  memory.settle(false);
  stored.set("a", "1");

  expect(await read("a")).toBe("1");
});

test("what changed again after it was written is not remembered", async () => {
  const { memory, read, stored } = aMemory();
  memory.touch("a");
  memory.write("a", "2");
  memory.touch("a");
  memory.settle(true);
  stored.set("a", "3");

  expect(await read("a")).toBe("3");
});
