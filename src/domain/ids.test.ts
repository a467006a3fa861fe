import { expect, test } from "vitest";
import { agentId, isAgentId, startDayOf } from "./ids.ts";

test("the day of an agent is the UTC day of its creation, whatever its role is called", () => {
  const lastSecond = Date.UTC(2026, 10, 17, 23, 59, 59, 999);

  expect(startDayOf(agentId("impl-code", lastSecond, "a3f2"))).toBe("2026-11-17");
  expect(startDayOf(agentId("impl-code", lastSecond + 1, "a3f2"))).toBe("2026-11-18");
  expect(startDayOf(agentId("phase-1794733200-x", lastSecond, "0000"))).toBe("2026-11-17");
  expect(startDayOf("of-another-form")).toBe("1970-01-01");
});

test("an agent's id has three parts", () => {
  expect(["impl-code-1-a", "a-1-b", "a-1", "", "a--b"].map(isAgentId)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
