import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold, runnerContract } from "../../../../test/contract/runner-contract.ts";
import type { AgentProgress } from "../../../domain/agents/progress.ts";
import { createGeminiRunner } from "./runner.ts";

const WHOLE_RUN = recorded("whole-run");

function recorded(name: string): string {
  return readFileSync(`test/kit/streams/gemini-${name}.ndjson`, "utf8");
}

function progressOf(stream: string): AgentProgress {
  return fold(createGeminiRunner(), Buffer.from(stream), { skipsDeltas: false });
}

const AT = Date.parse("2026-11-16T14:00:00.000Z");

function line(event: object): string {
  return JSON.stringify({ timestamp: new Date(AT).toISOString(), ...event });
}

function delta(content: string): string {
  return `{"type":"message","timestamp":"2026-11-16T14:00:00.000Z","role":"assistant","content":${JSON.stringify(content)},"delta":true}`;
}

runnerContract("gemini", () => ({
  runner: createGeminiRunner(),
  command: "/usr/local/bin/gemini",
  stream: WHOLE_RUN,
  folded: {
    lines: 15,
    toolCallCount: 5,
    lastMessage: "I change the old file first.\n\nThe work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: { inputTokens: 6_000, outputTokens: 300, cacheReadTokens: 1_200, cacheWriteTokens: 0 },
    sessionId: "fa8154ea-9352-4cf5-bda7-3d8caaf1c633",
    reportedModel: "gemini-2.5-pro",
    promptSentAt: Date.parse("2026-11-16T14:36:34.635Z"),
    lastTool: {
      name: "report_result",
      ok: true,
      output: '{"accepted":true}',
      endedAt: Date.parse("2026-11-16T14:36:35.831Z"),
    },
    end: { ok: true, text: "", durationMs: 1_211, error: null },
  },
  samples: [
    {
      line: line({ type: "init", session_id: "s-1", model: "auto" }),
      events: [{ type: "session", sessionId: "s-1", model: "auto" }],
    },
    { line: line({ type: "init" }), events: [] },
    {
      line: line({ type: "message", role: "user", content: "依頼" }),
      events: [{ type: "user", at: AT }],
    },
    {
      line: delta('やあ "delta":true} \\'),
      events: [{ type: "delta", text: 'やあ "delta":true} \\' }],
    },
    {
      line: line({ type: "message", role: "assistant", content: "whole" }),
      events: [{ type: "message", text: "whole" }],
    },
    {
      line: line({
        type: "tool_use",
        tool_name: "write_file",
        tool_id: "w-1",
        parameters: { file_path: "a.ts", content: "x" },
      }),
      events: [
        { type: "delta", text: "\n\n" },
        { type: "tool_started", callId: "w-1", tool: "write_file", files: ["a.ts"], at: AT },
      ],
    },
    {
      line: line({
        type: "tool_use",
        tool_name: "read_file",
        tool_id: "r-1",
        parameters: { file_path: "a.ts" },
      }),
      events: [
        { type: "delta", text: "\n\n" },
        { type: "tool_started", callId: "r-1", tool: "read_file", at: AT },
      ],
    },
    {
      line: line({
        type: "tool_use",
        tool_name: "mcp_kuromajutsu_get_notifications",
        tool_id: "n",
      }),
      events: [
        { type: "delta", text: "\n\n" },
        { type: "tool_started", callId: "n", tool: "get_notifications", at: AT },
      ],
    },
    {
      line: line({ type: "tool_result", tool_id: "w-1", status: "success" }),
      events: [{ type: "tool_finished", callId: "w-1", tool: "", ok: true, files: [], at: AT }],
    },
    {
      line: line({
        type: "tool_result",
        tool_id: "w-1",
        status: "error",
        error: { type: "invalid", message: "no such file" },
      }),
      events: [
        {
          type: "tool_finished",
          callId: "w-1",
          tool: "",
          ok: false,
          files: [],
          output: "no such file",
          at: AT,
        },
      ],
    },
    {
      line: line({ type: "error", severity: "warning", message: "Loop detected" }),
      events: [],
    },
    { line: line({ type: "something_new" }), events: [] },
    { line: "YOLO mode is enabled.", events: undefined },
    { line: '["type","result"]', events: undefined },
  ],
}));

test("a failed write of Gemini is no change of the file", () => {
  const started = line({
    type: "tool_use",
    tool_name: "write_file",
    tool_id: "w-1",
    parameters: { file_path: "/srv/app/new.txt" },
  });
  const failed = line({ type: "tool_result", tool_id: "w-1", status: "error", error: {} });

  const progress = progressOf(`${started}\n${failed}\n`);

  expect(progress).toMatchObject({ createdFiles: [], editedFiles: [], openTools: [] });
  expect(progress.lastTool).toMatchObject({ name: "write_file", ok: false });
});

test("a continued Gemini session reports the tokens of this run only", () => {
  expect(progressOf(recorded("resume"))).toMatchObject({
    sessionId: "fa8154ea-9352-4cf5-bda7-3d8caaf1c633",
    usage: { inputTokens: 2_000, outputTokens: 100, cacheReadTokens: 400 },
    createdFiles: ["/srv/app/new.txt"],
    end: { ok: true },
  });
});

test("a stream that ends in the middle of an answer is a failure of Gemini", () => {
  expect(progressOf(recorded("retry-cut"))).toMatchObject({
    lastMessage: "Half an answer",
    end: { ok: false, error: "[API Error: terminated]" },
  });
});

test("a rejected key ends the Gemini run as signed out, and says how to sign in", () => {
  const { end } = progressOf(recorded("signed-out"));

  expect(end).toMatchObject({ ok: false, failure: { kind: "signed-out", resetsAt: null } });
  expect(end?.error).toContain("Run `gemini` once and sign in");
});

test("a Gemini quota of a day is not a burst of requests", () => {
  const { end } = progressOf(recorded("quota"));

  expect(end).toMatchObject({ ok: false, failure: { kind: "quota" } });
});

test("a result of Gemini without a message keeps the message of the error before it", () => {
  const error = line({ type: "error", severity: "error", message: "The model returned nothing." });
  const result = line({ type: "result", status: "error", stats: {} });

  expect(progressOf(`${error}\n${result}\n`).end).toMatchObject({
    ok: false,
    error: "The model returned nothing.",
  });
});

test("many Gemini calls without a text leave one blank line in the message", () => {
  const call = line({ type: "tool_use", tool_name: "glob", tool_id: "g" });

  const progress = progressOf(
    `${call}\n${delta("Looking.")}\n${call}\n${call}\n${delta("Found.")}\n`,
  );

  expect(progress.lastMessage).toBe("Looking.\n\nFound.");
});

test("a Gemini result with an error is a failure, even if its status is success", () => {
  const result = line({ type: "result", status: "success", error: { message: "broken" } });

  expect(progressOf(`${result}\n`).end).toMatchObject({ ok: false, error: "broken" });
});
