import { expect, test } from "vitest";
import {
  callsOf,
  currentToolOf,
  MAX_MESSAGE_CHARS,
  MAX_OPEN_TOOLS,
  MAX_OUTPUT_CHARS,
  NO_PROGRESS,
  observe,
  type AgentProgress,
  type Existed,
} from "./progress.ts";
import type { RunnerEvent } from "./runner.ts";

function fold(events: readonly RunnerEvent[], existed: Existed = () => true): AgentProgress {
  return events.reduce((progress, event) => observe(progress, event, existed), NO_PROGRESS);
}

test("observe appends deltas to the message until the complete message replaces them", () => {
  const events: RunnerEvent[] = [
    { type: "delta", text: "書い" },
    { type: "delta", text: "て " },
  ];

  expect(fold(events).lastMessage).toBe("書いて ");
  expect(fold([...events, { type: "message", text: "書いています" }]).lastMessage).toBe(
    "書いています",
  );
});

test("observe keeps the end of a long message and never cuts inside a character", () => {
  const { lastMessage } = fold([{ type: "message", text: "🧙".repeat(MAX_MESSAGE_CHARS) }]);

  expect(lastMessage.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
  expect(lastMessage.replaceAll("🧙", "")).toBe("");
});

const write = (path: string): RunnerEvent => ({
  type: "tool_finished",
  callId: "c",
  tool: "write",
  ok: true,
  files: [{ path, change: "unknown" }],
});

test("observe counts tool calls when they start, and each file once, new ones as created", () => {
  const progress = fold(
    [
      { type: "tool_started", callId: "c", tool: "write" },
      write("old.ts"),
      write("new.ts"),
      write("new.ts"),
      {
        type: "tool_finished",
        callId: "d",
        tool: "write",
        ok: false,
        files: [{ path: "failed.ts", change: "created" }],
      },
    ],
    (path) => path !== "new.ts",
  );

  expect(progress).toMatchObject({
    toolCallCount: 1,
    editedFiles: ["old.ts"],
    createdFiles: ["new.ts"],
  });
});

test("observe counts calls that only poll or report progress apart from work", () => {
  const tools = ["get_notifications", "wait_agent", "get_agent_status", "report_progress", "read"];
  const progress = fold(
    tools.map((tool, index) => ({ type: "tool_started", callId: `c${index}`, tool })),
  );

  expect(progress).toMatchObject({ toolCallCount: 3, pollCount: 2 });
  expect(callsOf(progress)).toBe(5);
});

const starts = (callId: string, tool: string, at = 5): RunnerEvent => ({
  type: "tool_started",
  callId,
  tool,
  at,
});
const ends = (callId: string, tool: string, more: object = {}): RunnerEvent => ({
  type: "tool_finished",
  callId,
  tool,
  ok: true,
  files: [],
  at: 9,
  ...more,
});

test("the current tool is the one that started last and has not ended", () => {
  expect(currentToolOf(fold([starts("a", "read", 1), starts("b", "shell", 2)]))).toEqual({
    callId: "b",
    name: "shell",
    startedAt: 2,
  });
  const one = fold([starts("a", "read", 1), starts("b", "shell"), ends("b", "shell")]);
  expect(currentToolOf(one)).toMatchObject({ name: "read", startedAt: 1 });
  expect(currentToolOf(fold([starts("a", "read"), ends("a", "read")]))).toBeNull();
});

test("observe keeps the beginning of the last tool's output and whether the call succeeded", () => {
  const { lastTool } = fold([
    starts("a", "read"),
    ends("a", "read", { output: "x".repeat(10_000), ok: false }),
  ]);

  expect(lastTool).toEqual({
    name: "read",
    ok: false,
    output: `${"x".repeat(MAX_OUTPUT_CHARS)}…`,
    endedAt: 9,
  });
});

test("the number of open tools is limited, and the end of the run closes them", () => {
  const open = Array.from({ length: 1_000 }, (_, n) => starts(`c-${n}`, `tool-${n}`));
  const progress = fold(open);

  expect(progress.openTools.length).toBeLessThanOrEqual(MAX_OPEN_TOOLS);
  expect(currentToolOf(progress)?.name).toBe("tool-999");
  const end: RunnerEvent = { type: "end", ok: true, text: "", durationMs: 5, error: null };
  expect(fold([...open, end]).openTools).toEqual([]);
});

test("observe records once when the CLI accepted the prompt", () => {
  const events: RunnerEvent[] = [
    { type: "user", at: 7 },
    { type: "user", at: 8 },
  ];

  expect(fold([]).promptSentAt).toBeNull();
  expect(fold(events).promptSentAt).toBe(7);
});

test("the end event keeps the final text, and an empty one does not erase the last message", () => {
  const end: RunnerEvent = { type: "end", ok: true, text: "", durationMs: 5, error: null };

  expect(fold([{ type: "message", text: "最後" }, end])).toMatchObject({
    lastMessage: "最後",
    end: { ok: true, text: "" },
  });
});

test("observe decides by the start of a call whether a file is new, and by what the CLI says", () => {
  const events: RunnerEvent[] = [
    { type: "tool_started", callId: "c", tool: "write", files: ["missing.ts", "there.ts"] },
    { type: "tool_finished", callId: "c", tool: "write", ok: true, files: [] },
    {
      type: "tool_finished",
      callId: "d",
      tool: "patch",
      ok: true,
      files: [
        { path: "told-new.ts", change: "created" },
        { path: "told-old.ts", change: "edited" },
      ],
    },
  ];

  expect(fold(events, (path) => path === "there.ts")).toMatchObject({
    createdFiles: ["missing.ts", "told-new.ts"],
    editedFiles: ["there.ts", "told-old.ts"],
  });
});

test("observe joins a relative path at the start of a call with the absolute one at its end", () => {
  const events: RunnerEvent[] = [
    { type: "tool_started", callId: "c", tool: "write", files: ["a.ts"] },
    write("/srv/a.ts"),
  ];

  expect(fold(events, () => false)).toMatchObject({ createdFiles: ["/srv/a.ts"], editedFiles: [] });
});

const change = (path: string, how: "created" | "edited" | "deleted"): RunnerEvent => ({
  type: "tool_finished",
  callId: "c",
  tool: "patch",
  ok: true,
  files: [{ path, change: how }],
});

test("observe keeps each file in one list while it is created, edited and deleted", () => {
  expect(fold([change("a", "created"), change("a", "edited")])).toMatchObject({
    createdFiles: ["a"],
    editedFiles: [],
  });
  expect(fold([change("a", "created"), change("a", "deleted")])).toMatchObject({
    createdFiles: [],
    deletedFiles: [],
  });
  expect(fold([change("a", "edited"), change("a", "deleted")])).toMatchObject({
    editedFiles: [],
    deletedFiles: ["a"],
  });
  expect(fold([change("a", "deleted"), change("a", "created")])).toMatchObject({
    editedFiles: ["a"],
    deletedFiles: [],
  });
});

const usage = (
  scope: "run" | "step" | "session",
  tokens: number,
  costUsd?: number,
): RunnerEvent => ({
  type: "usage",
  scope,
  usage: { inputTokens: tokens, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...(costUsd !== undefined && { costUsd }),
});

test("observe replaces the usage of a run, adds up steps, and subtracts what a session used before", () => {
  expect(fold([usage("run", 3), usage("run", 5, 0.5)])).toMatchObject({
    usage: { inputTokens: 5, outputTokens: 1 },
    costUsd: 0.5,
  });
  expect(fold([usage("step", 3, 0.25), usage("step", 5, 0.5)])).toMatchObject({
    usage: { inputTokens: 8, outputTokens: 2 },
    costUsd: 0.75,
  });
  const before = { inputTokens: 4, outputTokens: 1, cacheReadTokens: 9, cacheWriteTokens: 0 };
  expect(
    observe({ ...NO_PROGRESS, usageBefore: before }, usage("session", 10), () => true),
  ).toMatchObject({
    usage: { inputTokens: 6, outputTokens: 0, cacheReadTokens: 0 },
    sessionUsage: { inputTokens: 10, outputTokens: 1 },
  });
});

test("observe counts whole tokens, whatever number a CLI reports", () => {
  expect(fold([usage("run", 1.5)])).toMatchObject({ usage: { inputTokens: 2 } });
  expect(fold([usage("step", 1.4), usage("step", 1.4)])).toMatchObject({
    usage: { inputTokens: 2 },
  });
  expect(fold([usage("session", 1.5)])).toMatchObject({
    usage: { inputTokens: 2 },
    sessionUsage: { inputTokens: 2 },
  });
});

test("observe counts retries, and those in a row until the model answers", () => {
  const retry: RunnerEvent = { type: "retry", reason: "overloaded" };

  expect(fold([retry, retry]).retries).toEqual({
    count: 2,
    inARow: 2,
    lastReason: "overloaded",
    lastFailure: null,
  });
  expect(fold([retry, { type: "message", text: "a" }, retry]).retries).toMatchObject({
    count: 2,
    inARow: 1,
  });
});

test("observe goes on counting retries when an answer was only begun and cut again", () => {
  const failure = { kind: "overloaded", resetsAt: null } as const;
  const retry: RunnerEvent = { type: "retry", reason: "cut", failure };

  expect(fold([retry, { type: "delta", text: "a" }, retry]).retries).toMatchObject({
    inARow: 2,
    lastFailure: failure,
  });
});

const mcp = (server: string, connected: boolean): RunnerEvent => ({
  type: "mcp",
  server,
  connected,
});

test("observe notices whether the CLI has connected to our own MCP server", () => {
  expect(fold([mcp("other", true)]).mcpConnected).toBeNull();
  expect(fold([mcp("kuromajutsu", false)]).mcpConnected).toBe(false);
});

test("observe counts a request with the same id as a retry until the model answers", () => {
  const retried = fold([
    { type: "request", id: "m-1" },
    { type: "request", id: "m-1" },
    { type: "request", id: "m-1" },
  ]);

  expect(retried.retries).toMatchObject({ count: 2, inARow: 2 });
  expect(retried.retries.lastReason).toContain("failed");
  const answered = observe(retried, { type: "message", text: "はい" }, () => true);
  expect(answered.retries).toMatchObject({ count: 2, inARow: 0 });
  const next = observe(answered, { type: "request", id: "m-2" }, () => true);
  expect(next).toMatchObject({ requestId: "m-2", retries: { count: 2, inARow: 0 } });
});

test("observe takes an end back when another request follows it", () => {
  const end: RunnerEvent = { type: "end", ok: true, text: "", durationMs: null, error: null };

  expect(fold([{ type: "request", id: "m-1" }, end]).end).toMatchObject({ ok: true });
  expect(
    fold([{ type: "request", id: "m-1" }, end, { type: "request", id: "m-2" }]).end,
  ).toBeNull();
});

test("observe keeps the message of an error when a failed end without one follows", () => {
  const end = { type: "end", text: "", durationMs: null } as const;
  const failed: RunnerEvent = { ...end, ok: false, error: "quota" };

  expect(fold([failed, { ...end, ok: false, error: null }]).end?.error).toBe("quota");
  expect(fold([failed, { ...end, ok: true, error: null }]).end?.error).toBeNull();
});

test("observe names an ended call as it was named when it started", () => {
  const progress = fold([
    { type: "tool_started", callId: "c", tool: "glob" },
    { type: "tool_finished", callId: "c", tool: "", ok: true, files: [] },
  ]);

  expect(progress.lastTool?.name).toBe("glob");
});

test("an empty message clears the preview, and is no answer of the model", () => {
  const progress = fold([
    { type: "delta", text: "half" },
    { type: "retry", reason: "cut" },
    { type: "message", text: "" },
    { type: "delta", text: "whole" },
  ]);

  expect(progress.lastMessage).toBe("whole");
  expect(
    fold([
      { type: "retry", reason: "cut" },
      { type: "message", text: "" },
    ]).retries.inARow,
  ).toBe(1);
});

test("a call that ends without a name has the name it started with", () => {
  expect(fold([starts("c-1", "read"), ends("c-1", "")]).lastTool?.name).toBe("read");
  expect(fold([ends("c-1", "")]).lastTool?.name).toBe("unknown");
});

const failedEnd = (kind: "quota" | "overloaded", resetsAt: number | null): RunnerEvent => ({
  type: "end",
  ok: false,
  text: "",
  durationMs: null,
  error: "no",
  failure: { kind, resetsAt },
});

test("the end of a run keeps the reset time that an earlier event of the same failure told", () => {
  expect(fold([failedEnd("quota", 5), failedEnd("quota", null)]).end?.failure?.resetsAt).toBe(5);
  expect(fold([failedEnd("quota", 5), failedEnd("quota", 6)]).end?.failure?.resetsAt).toBe(6);
  expect(
    fold([failedEnd("quota", 5), failedEnd("overloaded", null)]).end?.failure?.resetsAt,
  ).toBeNull();
});
