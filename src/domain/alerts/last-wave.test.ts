import { expect, test } from "vitest";
import { lastWave } from "./last-wave.ts";

const agent = (createdAt: number, endedAt: number) => ({ createdAt, endedAt });

test("a wave reaches back to the last time at which no agent was at work", () => {
  const newest = [agent(30, 40), agent(22, 35), agent(20, 31)];

  expect(lastWave([...newest, agent(5, 19), agent(1, 9)])).toEqual(newest);
});

test("agents that were requested together are one wave, whichever ended first", () => {
  const together = [agent(10, 11), agent(10, 90), agent(10, 12)];

  expect(lastWave(together)).toEqual(together);
  expect(lastWave([])).toEqual([]);
});
