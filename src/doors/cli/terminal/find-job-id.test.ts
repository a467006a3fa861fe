import { expect, test } from "vitest";
import { findJobId } from "./find-job-id.ts";

const FIRST = "1f0c88e2-0000-4000-8000-000000000001";
const SECOND = "1f0c88e2-0000-4000-8000-000000000002";
const THIRD = "2a000000-0000-4000-8000-000000000003";
const jobs = [FIRST, SECOND, THIRD].map((jobId) => ({ jobId }));
const ALL = { jobs, total: 3 };
const NEWEST = { jobs, total: 4 };

test("the beginning of an id names a job", () => {
  expect(findJobId(ALL, "2")).toEqual({ id: THIRD });
  expect(findJobId(NEWEST, "2a000000")).toEqual({ id: THIRD });
});

test("the beginning of several ids names no job", () => {
  expect(findJobId(ALL, "1f0c88e2")).toBe("unclear");
  expect(findJobId(ALL, "")).toBe("unclear");
  expect(findJobId(ALL, SECOND)).toEqual({ id: SECOND });
});

test("the server decides about an id that no listed job has, if the list has all jobs", () => {
  expect(findJobId(ALL, "3b")).toEqual({ id: "3b" });
});

test("if the list leaves out jobs, an id that it does not have may be one of theirs", () => {
  expect(findJobId(NEWEST, "3b000000")).toBe("not_listed");
});

test("if the list leaves out jobs, a few characters may name one of them instead of the listed one", () => {
  expect(findJobId(NEWEST, "2a")).toBe("not_listed");
});

test("a whole id names a job that the list leaves out", () => {
  const older = "3b000000-0000-4000-8000-000000000004";
  expect(findJobId(NEWEST, older)).toEqual({ id: older });
});
