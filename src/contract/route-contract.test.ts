import { expect, test } from "vitest";
import { requestPath } from "./route-contract.ts";

test("a request path has its parameters filled in and encoded", () => {
  expect(requestPath("/api/roles/{id}", { params: { id: "a/b ?" } })).toBe(
    "/api/roles/a%2Fb%20%3F",
  );
});

test("a request path has the query values that are given", () => {
  expect(
    requestPath("/api/tasks", { query: { limit: 50, q: "請求 & 書", cursor: undefined } }),
  ).toBe("/api/tasks?limit=50&q=%E8%AB%8B%E6%B1%82+%26+%E6%9B%B8");
  expect(requestPath("/api/tasks", { query: { cursor: undefined } })).toBe("/api/tasks");
});
