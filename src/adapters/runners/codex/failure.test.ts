import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold } from "../../../../test/contract/runner-contract.ts";
import { failureOfCodex } from "./failure.ts";
import { createCodexRunner } from "./runner.ts";

const NOW = Date.parse("2026-11-16T09:00:00");

function endOf(name: string) {
  const stream = readFileSync(`test/kit/streams/codex-${name}.ndjson`);
  return fold(createCodexRunner(), stream, { skipsDeltas: true });
}

test.each([
  ["signed-out", "signed-out", "`codex login`", 5],
  ["rate-limited", "rate-limit", "`kuromajutsu reload`", 0],
  ["overloaded", "overloaded", "`codex exec", 5],
  ["quota", "quota", "/status in `codex`", 0],
  ["host-signed-out", "signed-out", "`codex login`", 5],
  ["host-rate-limited", "rate-limit", "`kuromajutsu reload`", 0],
  ["host-overloaded", "overloaded", "`codex exec", 5],
  ["host-quota", "quota", "/status in `codex`", 0],
  ["host-session-lost", "session-lost", "`codex resume`", 0],
] as const)("a recorded run of Codex that is %s fails as %s", (name, kind, command, retries) => {
  const progress = endOf(name);

  expect(progress.end).toMatchObject({ ok: false, failure: { kind } });
  expect(progress.end?.error).toContain(command);
  expect(progress.retries.count).toBe(retries);
});

function usedUp(text: string) {
  return failureOfCodex(`You’ve hit your usage limit. ${text}`, NOW)?.failure;
}

test("the time at which the limit of a plan ends is read in local time", () => {
  expect(usedUp("or try again at Mar 17th, 2030 5:46 PM.")?.resetsAt).toBe(
    new Date(2030, 2, 17, 17, 46).getTime(),
  );
  expect(usedUp("Try again at 5:46 PM.")?.resetsAt).toBe(new Date(2026, 10, 16, 17, 46).getTime());
  expect(usedUp("Try again later.")?.resetsAt).toBeNull();
});

test.each([
  ["Quota exceeded. Check your plan and billing details.", "quota"],
  ["The model `nope` does not exist or you do not have access to it.", "model-unknown"],
  ["The 'x' model is not supported when using Codex with a ChatGPT account.", "model-unknown"],
  ["Selected model is at capacity. Please try a different model.", "overloaded"],
  ["Your access token could not be refreshed. Please log out and sign in again.", "signed-out"],
] as const)("the words %j of Codex mean %s", (text, kind) => {
  expect(failureOfCodex(text, NOW)?.failure.kind).toBe(kind);
});

test("a lost conversation is recognized by the stderr of Codex", () => {
  const stderr = readFileSync("test/kit/streams/codex-session-lost.stderr.txt", "utf8");

  expect(createCodexRunner().diagnose(stderr, 1)?.failure.kind).toBe("session-lost");
});

test("the stderr of a read-only run of Codex that refused a patch is no diagnosis", () => {
  const stderr =
    "ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings";

  expect(createCodexRunner().diagnose(stderr, 0)).toBeUndefined();
});

test("a retry of Codex that is not signed in names the command to run", () => {
  const { lastReason, lastFailure } = endOf("signed-out").retries;

  expect(lastReason).toContain("`codex login`");
  expect(lastFailure?.kind).toBe("signed-out");
});
