import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold, runnerContract } from "../../../../test/contract/runner-contract.ts";
import type { AgentProgress } from "../../../domain/agents/progress.ts";
import { createOpencodeRunner } from "./runner.ts";

function recorded(name: string): string {
  return readFileSync(`test/kit/streams/opencode-${name}.ndjson`, "utf8");
}

function progressOf(...lines: readonly string[]): AgentProgress {
  const stream = lines.map((each) => `${each}\n`).join("");
  return fold(createOpencodeRunner(), Buffer.from(stream), { skipsDeltas: false });
}

function line(type: string, part: object): string {
  return JSON.stringify({ type, timestamp: 1, sessionID: "ses_1", part });
}

function stepStart(messageID: string): string {
  return line("step_start", { type: "step-start", messageID });
}

function stepFinish(reason: string, more: object = {}): string {
  return line("step_finish", { type: "step-finish", reason, ...more });
}

function toolUse(tool: string, state: object): string {
  return line("tool_use", { type: "tool", tool, callID: "c-1", state });
}

const ENDED = { type: "end", text: "", durationMs: null } as const;

runnerContract("opencode", () => ({
  runner: createOpencodeRunner(),
  command: "/usr/local/bin/opencode",
  stream: recorded("whole-run"),
  folded: {
    lines: 22,
    toolCallCount: 6,
    lastMessage: "The work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: { inputTokens: 7_000, outputTokens: 350, cacheReadTokens: 1_400, cacheWriteTokens: 0 },
    sessionId: "ses_e1b33eb60ffeTzFCYN0ydJeMDE",
    requestId: "msg_1e4cc4a380017S5TlLy4RJI4OZ",
    lastTool: {
      name: "report_result",
      ok: true,
      output: '{"accepted":true}',
      endedAt: 1_794_839_955_948,
    },
    end: { ok: true, text: "", durationMs: null, error: null },
  },
  samples: [
    {
      line: stepStart("msg_1"),
      events: [
        { type: "session", sessionId: "ses_1", model: null },
        { type: "request", id: "msg_1" },
      ],
    },
    { line: line("text", { text: "やあ" }), events: [{ type: "message", text: "やあ" }] },
    { line: line("reasoning", { text: "?" }), events: [] },
    { line: stepFinish("tool-calls"), events: [] },
    { line: stepFinish("stop"), events: [{ ...ENDED, ok: true, error: null }] },
    {
      line: stepFinish("length"),
      events: [{ ...ENDED, ok: false, error: "The model stopped early (length)." }],
    },
    {
      line: stepFinish("tool-calls", {
        tokens: { input: 800, output: 50, reasoning: 7, cache: { read: 200, write: 30 } },
        cost: 0.5,
      }),
      events: [
        {
          type: "usage",
          scope: "step",
          usage: {
            inputTokens: 800,
            outputTokens: 57,
            cacheReadTokens: 200,
            cacheWriteTokens: 30,
          },
          costUsd: 0.5,
        },
      ],
    },
    {
      line: toolUse("kuromajutsu_report_result", {
        status: "error",
        error: "refused",
        time: { start: 5, end: 6 },
      }),
      events: [
        { type: "tool_started", callId: "c-1", tool: "report_result", at: 5 },
        {
          type: "tool_finished",
          callId: "c-1",
          tool: "report_result",
          ok: false,
          files: [],
          output: "refused",
          at: 6,
        },
      ],
    },
    { line: '{"type":"something_new"}', events: [] },
    { line: "! permission requested: bash; auto-rejecting", events: undefined },
  ],
}));

test.each([
  ["write", { filePath: "/a" }, { exists: false }, [{ path: "/a", change: "created" }]],
  ["write", { filePath: "/a" }, { exists: true }, [{ path: "/a", change: "edited" }]],
  ["edit", { filePath: "/a", oldString: "x" }, {}, [{ path: "/a", change: "edited" }]],
  ["edit", { filePath: "/a", oldString: "" }, {}, [{ path: "/a", change: "unknown" }]],
  ["read", { filePath: "/a" }, {}, []],
  [
    "apply_patch",
    { patchText: "…" },
    {
      files: [
        { filePath: "/new", type: "add" },
        { filePath: "/old", type: "update" },
        { filePath: "/gone", type: "delete" },
        { filePath: "/from", type: "move", movePath: "/to" },
      ],
    },
    [
      { path: "/new", change: "created" },
      { path: "/old", change: "edited" },
      { path: "/gone", change: "deleted" },
      { path: "/from", change: "deleted" },
      { path: "/to", change: "unknown" },
    ],
  ],
])("the files of OpenCode's %s with %j and %j", (tool, input, metadata, files) => {
  const [, finished] =
    createOpencodeRunner().parse(toolUse(tool, { status: "completed", input, metadata })) ?? [];

  expect(finished).toMatchObject({ type: "tool_finished", ok: true, files });
});

test("each OpenCode request that is sent again counts as a retry, and the error ends the run", () => {
  const progress = progressOf(recorded("cut").trimEnd());

  expect(progress).toMatchObject({
    retries: { count: 5, inARow: 5 },
    end: { ok: false, error: "Connection reset by server" },
  });
});

test("an answer of the model ends the retries in a row of OpenCode", () => {
  const progress = progressOf(
    stepStart("msg_1"),
    stepStart("msg_1"),
    line("text", { text: "at last" }),
    stepFinish("stop"),
  );

  expect(progress).toMatchObject({ retries: { count: 1, inARow: 0 }, end: { ok: true } });
});

test("a step of OpenCode that only looks like the last one is not the end", () => {
  const compacted = progressOf(stepStart("msg_1"), stepFinish("stop"), stepStart("msg_2"));

  expect(compacted.end).toBeNull();
});

test("tokens and costs of OpenCode's steps are added up", () => {
  const tokens = { input: 800, output: 50, reasoning: 0, cache: { read: 200, write: 0 } };

  const progress = progressOf(
    stepFinish("tool-calls", { tokens, cost: 0.25 }),
    stepFinish("stop", { tokens, cost: 0.5 }),
  );

  expect(progress).toMatchObject({
    usage: { inputTokens: 1_600, outputTokens: 100 },
    costUsd: 0.75,
  });
});

test("a continued OpenCode session reports the tokens of this run only", () => {
  expect(progressOf(recorded("resume").trimEnd())).toMatchObject({
    sessionId: "ses_e1b33eb60ffeTzFCYN0ydJeMDE",
    usage: { inputTokens: 2_000 },
    editedFiles: ["/srv/app/new.txt"],
    end: { ok: true },
  });
});

test("an OpenCode error without a reason leaves the explanation to its log on stderr", () => {
  const message = "Unexpected server error. Check server logs for details.";
  const error = { name: "UnknownError", data: { message, ref: "err_b502b610" } };

  const { end } = progressOf(JSON.stringify({ type: "error", sessionID: "ses_1", error }));

  expect(end).toMatchObject({ ok: false, error: null });
});

test("a rejected key ends the OpenCode run as signed out, and says how to sign in", () => {
  const { end } = progressOf(recorded("signed-out").trimEnd());

  expect(end).toMatchObject({ ok: false, failure: { kind: "signed-out" } });
  expect(end?.error).toContain("Run `opencode auth login`");
});
