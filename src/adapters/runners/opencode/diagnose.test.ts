import { expect, test } from "vitest";
import { diagnoseError, diagnoseOpencode } from "./diagnose.ts";

const AT = 1_794_733_200_000;

function apiError(statusCode: number, message: string, more: object = {}): object {
  return { name: "APIError", data: { statusCode, message, ...more } };
}

test.each([
  [apiError(401, "bad key"), "signed-out"],
  [{ name: "ProviderAuthError", data: { message: "no" } }, "signed-out"],
  [apiError(402, "Insufficient credits"), "quota"],
  [apiError(429, "slow down"), "rate-limit"],
  [apiError(429, "You exceeded your current quota, please check your plan."), "quota"],
  [apiError(429, "no", { responseBody: '{"error":{"type":"GoUsageLimitError"}}' }), "quota"],
  [apiError(429, "later", { responseHeaders: { "retry-after": "7200" } }), "quota"],
  [apiError(429, "later", { responseHeaders: { "retry-after": "30" } }), "rate-limit"],
  [apiError(400, "Your credit balance is too low to access the API."), "quota"],
  [apiError(529, "Overloaded"), "overloaded"],
  [apiError(503, "Service Unavailable"), "overloaded"],
  [apiError(404, "model: claude-9 not found"), "model-unknown"],
])("OpenCode's error %j is the failure %s", (error, kind) => {
  const found = diagnoseError({ ...error }, AT);

  expect(found?.failure.kind).toBe(kind);
  expect(found?.message).toMatch(/`/);
});

test("OpenCode's other errors have no known reason", () => {
  expect(diagnoseError({ name: "APIError", data: { message: "reset" } }, AT)).toBeUndefined();
});

test.each([
  [{ "retry-after": "7200" }, 7_200_000],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1_500],
])("the end of a limit of OpenCode is read from %j", (responseHeaders, wait) => {
  const found = diagnoseError({ ...apiError(429, "no", { responseHeaders }) }, AT);

  expect(found?.failure.resetsAt).toBe(AT + wait);
});

test.each([
  ["\u001b[91m\u001b[1mError: \u001b[0mSession not found\n", "session-lost"],
  [
    'level=ERROR message=failed error="ProviderModelNotFoundError: Model not found: mock/nope."',
    "model-unknown",
  ],
  ["Error: ProviderAuthError", "signed-out"],
])("OpenCode's stderr %j is the failure %s", (stderr, kind) => {
  expect(diagnoseOpencode(stderr)?.failure.kind).toBe(kind);
});

test("the stderr of an OpenCode run without a known reason is no failure", () => {
  expect(diagnoseOpencode("level=ERROR message=share subscriber failed")).toBeUndefined();
});
