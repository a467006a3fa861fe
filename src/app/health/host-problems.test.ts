import { expect, test } from "vitest";
import { createHostProblems } from "./host-problems.ts";

test("a host has a problem with a CLI for five minutes, or until it works again", () => {
  let now = 1_000;
  const changes: number[] = [];
  const problems = createHostProblems({ now: () => now }, ({ length }) => changes.push(length));
  const seen = { runner: "claude", kind: "signed-out", reason: "Not logged in." } as const;

  problems.add(seen);
  expect(problems.find("claude")).toEqual({ ...seen, since: 1_000, until: 301_000 });
  expect(problems.find("codex")).toBeUndefined();
  now += 299_999;
  expect(problems.all()).toHaveLength(1);
  now += 1;
  expect([problems.find("claude"), ...problems.all()]).toEqual([undefined]);

  problems.add(seen);
  problems.remove("claude");
  problems.remove("claude");
  expect(problems.all()).toEqual([]);
  expect(changes).toEqual([1, 1, 0]);
});
