import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { hasLostSession } from "./lost-session.ts";
import { NO_PROGRESS, type AgentProgress } from "./progress.ts";
import type { Failure } from "./runner.ts";

const continuing = anAgent({ status: "running", process: "alive", resumeSession: "talk" });
const failedEnd = (text: string) => ({ ok: false, text, durationMs: null, error: "gone" });

type Case = {
  readonly agent?: Partial<typeof continuing>;
  readonly progress?: Partial<AgentProgress>;
  readonly exitCode?: number | null;
  readonly failure?: Failure;
};

function isLost({ agent, progress, exitCode = 1, failure }: Case): boolean {
  const seen = { ...NO_PROGRESS, ...progress };
  return hasLostSession({ ...continuing, ...agent }, seen, exitCode, failure);
}

test.each<[string, Case]>([
  ["exits with an error", {}],
  ["exits with 0 and no result event", { exitCode: 0 }],
  ["ends with an error result", { exitCode: 0, progress: { end: failedEnd("") } }],
  [
    "ends with an error text of the CLI",
    { progress: { lastMessage: "No conversation found", end: failedEnd("No conversation found") } },
  ],
  ["says that the conversation is lost", { failure: { kind: "session-lost", resetsAt: null } }],
])("a conversation is lost when the run that continues it %s", (_, given) => {
  expect(isLost(given)).toBe(true);
});

test.each<[string, Case]>([
  ["continues none", { agent: { resumeSession: null } }],
  ["was stopped", { agent: { stopReason: "cancelled" } }],
  ["was stopped for its output", { agent: { stopReason: "spool_limit" } }],
  ["has reported", { agent: { status: "resultReported" } }],
  ["said something", { progress: { lastMessage: "はい" } }],
  ["called a tool", { progress: { toolCallCount: 1 } }],
  [
    "had its request retried",
    { progress: { retries: { count: 1, inARow: 1, lastReason: "x", lastFailure: null } } },
  ],
  ["is signed out", { failure: { kind: "signed-out", resetsAt: null } }],
  ["has no quota left", { failure: { kind: "quota", resetsAt: null } }],
  ["disappeared", { exitCode: null }],
  [
    "succeeded without a word",
    { exitCode: 0, progress: { end: { ok: true, text: "", durationMs: 1, error: null } } },
  ],
])("a conversation is not lost when the agent %s", (_, given) => {
  expect(isLost(given)).toBe(false);
});
