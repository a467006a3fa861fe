import { expect, test } from "vitest";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import { mayDecide } from "./may-decide.ts";

const aoi = { id: "aoi", role: "operator" } as const;

test.each<[string, WireApproval["policy"], string, boolean]>([
  ["anyone", { who: "anyone" }, "ben", true],
  ["their own task", { who: "requester" }, "aoi", true],
  ["a task of somebody else, for the requester", { who: "requester" }, "ben", false],
  ["their own task, for others", { who: "not-requester" }, "aoi", false],
  ["a task of somebody else, for others", { who: "not-requester" }, "ben", true],
  ["a list with them", { who: "approvers", users: ["ben", "aoi"] }, "ben", true],
  ["a list without them", { who: "approvers", users: ["ben"] }, "ben", false],
  ["a quorum of all", { who: "quorum", count: 2, users: null }, "ben", true],
  ["a quorum without them", { who: "quorum", count: 1, users: ["ben"] }, "ben", false],
])(
  "an operator and %s: the dashboard knows whether they may decide",
  (_, policy, requester, may) => {
    expect(mayDecide({ policy, requester }, aoi)).toBe(may);
  },
);

test("a viewer may decide nothing", () => {
  expect(
    mayDecide({ policy: { who: "anyone" }, requester: "aoi" }, { ...aoi, role: "viewer" }),
  ).toBe(false);
});
