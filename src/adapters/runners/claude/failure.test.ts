import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold } from "../../../../test/contract/runner-contract.ts";
import { failureOfClaude } from "./failure.ts";
import { createClaudeRunner } from "./runner.ts";

function endOf(name: string) {
  const stream = readFileSync(`test/kit/streams/claude-${name}.ndjson`);
  return fold(createClaudeRunner(), stream, { skipsDeltas: true });
}

// Claude calls an API error a success: its result has subtype "success" and is_error: true.
test.each([
  ["signed-out", "signed-out", "`claude auth login`", 2],
  ["rate-limited", "rate-limit", "`kuromajutsu reload`", 2],
  ["overloaded", "overloaded", "`claude -p", 2],
  ["quota", "quota", "/usage in `claude`", 0],
  ["session-lost", "session-lost", "`claude --resume`", 0],
] as const)("a recorded run of Claude that is %s fails as %s", (name, kind, command, retries) => {
  const progress = endOf(name);

  expect(progress.end).toMatchObject({ ok: false, failure: { kind } });
  expect(progress.end?.error).toContain(command);
  expect(progress.retries.count).toBe(retries);
});

test("the result of Claude keeps the time at which the plan's limit ends", () => {
  expect(endOf("quota").end?.failure).toEqual({ kind: "quota", resetsAt: 1_900_000_000_000 });
});

test("a run of Claude without our server goes on, and says that it is not connected", () => {
  expect(endOf("mcp-down")).toMatchObject({ mcpConnected: false, end: { ok: true } });
});

test.each([
  ["retry-429", "Retry 1 of 2: HTTP 429, rate_limit"],
  ["retry-529", "Retry 1 of 2: HTTP 529, overloaded"],
  ["retry-cut", "Retry 1 of 2: the connection was cut"],
])("the reason of a retry of Claude is read from %s", (name, reason) => {
  expect(endOf(name)).toMatchObject({
    retries: { count: 1, inARow: 0, lastReason: reason },
    end: { ok: true },
  });
});

test.each([
  ["There's an issue with the selected model (nope-1).", 404, "model-unknown"],
  ["Credit balance is too low", 400, "quota"],
  ["Not logged in · Please run /login", undefined, "signed-out"],
  ["Failed to authenticate: OAuth token revoked.", 403, "signed-out"],
  ["You've hit your weekly limit · resets Nov 20, 5am (UTC)", undefined, "quota"],
  ["API Error: Request rejected (429) · Rate limit reached for requests", 429, "rate-limit"],
] as const)("the words %j of Claude mean a failure", (text, status, kind) => {
  expect(failureOfClaude({ text, status })?.failure.kind).toBe(kind);
});

test("an error of Claude that is not known stays as it is", () => {
  const runner = createClaudeRunner();

  expect(runner.parse('{"type":"result","subtype":"error_max_turns","is_error":true}')).toEqual([
    {
      type: "end",
      ok: false,
      text: "",
      durationMs: null,
      error: "It ended with error_max_turns.",
    },
  ]);
  expect(runner.diagnose("Segmentation fault", 139)).toBeUndefined();
});

test("an interrupted run of Claude is a failure, although its exit code is 0", () => {
  const line =
    '{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}';

  expect(createClaudeRunner().parse(line)).toMatchObject([{ type: "end", ok: false }]);
});

test("a retry of Claude that is not signed in names the command to run", () => {
  const { lastReason, lastFailure } = endOf("signed-out").retries;

  expect(lastReason).toContain("`claude auth login`");
  expect(lastFailure?.kind).toBe("signed-out");
});
