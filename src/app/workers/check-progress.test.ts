import { expect, test } from "vitest";
import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";
import { checkProgress, usableProgress } from "./check-progress.ts";

const USAGE = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
const FAILURE = { kind: "quota", resetsAt: 1_700_000_000_000 } as const;
const FULL: AgentProgress = {
  offset: 12,
  lines: 3,
  skippedLines: 1,
  toolCallCount: 2,
  pollCount: 1,
  lastMessage: "working",
  editedFiles: ["/a"],
  createdFiles: ["/b"],
  deletedFiles: ["/c"],
  usage: USAGE,
  costUsd: 0.125,
  sessionUsage: USAGE,
  usageBefore: USAGE,
  sessionId: "s-1",
  reportedModel: "m",
  promptSentAt: 1_700_000_000_000,
  openTools: [
    { callId: "1", name: "edit", startedAt: null },
    { callId: "2", name: "edit", startedAt: 5, files: [{ path: "/a", existed: true }] },
  ],
  lastTool: { name: "read", ok: true, output: "x", endedAt: 4 },
  mcpConnected: true,
  retries: { count: 2, inARow: 1, lastReason: "overloaded", lastFailure: FAILURE },
  steered: ["ntf-1"],
  warnings: ["careful"],
  requestId: "r-1",
  lostSession: "s-0",
  triedHosts: ["wrk-1"],
  end: { ok: false, text: "", durationMs: 10, error: "no", failure: FAILURE },
};

test("checkProgress passes a progress as it is, with first values for what an older worker does not send", () => {
  expect(checkProgress(FULL)).toEqual(FULL);
  expect(checkProgress(NO_PROGRESS)).toEqual(NO_PROGRESS);
  expect(checkProgress({})).toEqual(NO_PROGRESS);
  const end = { ok: true, text: "done", durationMs: null, error: null };
  expect(checkProgress({ ...FULL, end })).toEqual({ ...FULL, end });
  const { lastFailure: _lastFailure, ...retries } = FULL.retries;
  expect(checkProgress({ ...FULL, retries }).retries).toEqual({ ...retries, lastFailure: null });
});

test("checkProgress leaves out what only a newer worker knows", () => {
  const failure = { kind: "on-strike", resetsAt: null };
  const sent = {
    ...FULL,
    later: 1,
    lastTool: { ...FULL.lastTool, later: 1 },
    usage: { ...USAGE, later: 1 },
    retries: { ...FULL.retries, lastFailure: failure },
    end: { ...FULL.end, failure },
  };

  expect(checkProgress(sent)).toEqual({
    ...FULL,
    retries: { ...FULL.retries, lastFailure: null },
    end: { ok: false, text: "", durationMs: 10, error: "no" },
  });
});

test("checkProgress makes numbers whole and possible, as CLIs may report any", () => {
  const usage = { inputTokens: 1.5, outputTokens: -1, cacheReadTokens: 1e300, cacheWriteTokens: 0 };
  const found = checkProgress({
    ...FULL,
    lines: 1.2,
    usage,
    costUsd: 1e300,
    promptSentAt: 1e300,
    end: { ...FULL.end, failure: { kind: "quota", resetsAt: 1.5 } },
  });

  expect(found).toMatchObject({
    lines: 1,
    usage: { inputTokens: 2, outputTokens: 0, cacheReadTokens: 1e12, cacheWriteTokens: 0 },
    costUsd: 1e9,
    end: { failure: { resetsAt: 2 } },
  });
  expect(new Date(found.promptSentAt ?? 0).getUTCFullYear()).toBe(9999);
});

test("checkProgress limits the size of texts and lists", () => {
  const long = "x".repeat(1_000_000);
  const many = Array.from({ length: 20_000 }, () => "x");
  const found = checkProgress({
    ...FULL,
    lastMessage: long,
    sessionId: long,
    editedFiles: many,
    warnings: [...many, long],
    end: { ...FULL.end, text: long, error: long },
  });

  expect(found.lastMessage.length).toBeLessThan(200_000);
  expect(JSON.stringify(found).length).toBeLessThan(1_000_000);
});

test.each([
  { offset: "12" },
  { lastMessage: null },
  { editedFiles: {} },
  { retries: [] },
  { warnings: [null] },
  { steered: [1] },
  { usage: { ...USAGE, inputTokens: "1" } },
  { usage: 5 },
  { costUsd: "1" },
  { lastTool: "read" },
  { lastTool: { ok: true } },
  { openTools: [null] },
  { end: true },
  { end: { text: "" } },
  { sessionId: {} },
  { mcpConnected: "yes" },
])("checkProgress refuses %j", (wrong) => {
  expect(() => checkProgress({ ...FULL, ...wrong })).toThrow(
    `The progress has a wrong "${Object.keys(wrong)[0]}`,
  );
});

test("usableProgress is empty for a stored progress that cannot be used, and the log says so", () => {
  const warned: unknown[] = [];
  const note = (...args: unknown[]) => void warned.push(args);
  const log = { debug: note, info: note, warn: note, error: note };
  const malformed: AgentProgress = JSON.parse(JSON.stringify({ ...FULL, warnings: [null] }));

  expect(usableProgress({ log }, "impl-1-a", FULL)).toEqual(FULL);
  expect(warned).toEqual([]);
  expect(usableProgress({ log }, "impl-1-a", malformed)).toEqual(NO_PROGRESS);
  expect(warned).toEqual([
    [expect.stringContaining("cannot be used"), expect.objectContaining({ agentId: "impl-1-a" })],
  ]);
});
