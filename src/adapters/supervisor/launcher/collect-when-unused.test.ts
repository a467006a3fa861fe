import { expect, test } from "vitest";
import { collectWhenUnused } from "./collect-when-unused.ts";

test("the launcher collects garbage once after many agents, and never while one is alive", () => {
  let collections = 0;
  const memory = collectWhenUnused(() => void (collections += 1));
  const launch = (times: number) => {
    for (let n = 0; n < times; n++) memory.launched();
  };

  launch(99);
  memory.look(0);
  expect(collections).toBe(0);

  launch(1);
  memory.look(3);
  expect(collections).toBe(0);

  memory.look(0);
  memory.look(0);
  expect(collections).toBe(1);
});
