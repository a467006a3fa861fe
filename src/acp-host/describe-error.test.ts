import { expect, test } from "vitest";
import { describeFailure } from "./describe-error.ts";

// As the CLIs said it against a mock LLM.
test.each([
  ["gemini", 401, '{"error":{"code":401,"status":"UNAUTHENTICATED"}}', "signed-out", "`gemini`"],
  ["gemini", 429, "You have exhausted your daily quota on this model.", "quota", "resets"],
  ["gemini", 429, "Too busy.", "rate-limit", "`agent.maxConcurrent`"],
  ["gemini", 503, "Later.", "overloaded", "overloaded"],
  ["/opt/opencode", -32603, "Internal error: 401: APIError", "signed-out", "`opencode auth login`"],
  ["codex-acp", -32000, "Authentication required", "signed-out", "`codex login`"],
  ["claude-agent-acp", -32603, "You've hit your 5-hour limit", "quota", "resets"],
  ["claude-agent-acp", -32603, "Request rejected (429)", "rate-limit", "fewer agents"],
  ["other", -32000, "Authentication required", "signed-out", "`other`"],
] as const)("%s with the code %i (%s): %s, with advice", (program, code, said, kind, advice) => {
  const { error, failure } = describeFailure(said, program, code);

  expect(failure).toEqual({ kind, resetsAt: null });
  expect(error).toContain(advice);
  expect(error).toContain(said);
});

test("the time at which a quota resets is read from the words of the CLI", () => {
  const { failure } = describeFailure(
    "You’ve hit your usage limit or try again at Mar 17th, 2030 5:46 PM.",
    "codex-acp",
  );

  expect(failure).toEqual({ kind: "quota", resetsAt: Date.parse("Mar 17, 2030 5:46 PM") });
});

test("a failure of an unknown kind is passed on as it is", () => {
  expect(describeFailure("terminated", "gemini", 500)).toEqual({ error: "terminated" });
});
