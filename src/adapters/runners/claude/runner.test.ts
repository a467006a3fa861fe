import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold, runnerContract } from "../../../../test/contract/runner-contract.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { createClaudeRunner } from "./runner.ts";

const WHOLE_RUN = read("whole-run");
const AT = "2026-11-16T14:30:24.498Z";

function read(name: string): string {
  return readFileSync(`test/kit/streams/claude-${name}.ndjson`, "utf8");
}

/** The tokens of a number of answers of the mock LLM. */
function answers(count: number) {
  return {
    inputTokens: 1_000 * count,
    outputTokens: 50 * count,
    cacheReadTokens: 200 * count,
    cacheWriteTokens: 30 * count,
  };
}

function foldAll(stream: string) {
  return fold(createClaudeRunner(), Buffer.from(stream), { skipsDeltas: false });
}

function assistant(content: readonly object[], more: object = {}): string {
  return JSON.stringify({ type: "assistant", message: { content }, timestamp: AT, ...more });
}

function toolResult(more: object, details?: unknown): string {
  const content = [{ type: "tool_result", tool_use_id: "c-1", content: "ok", ...more }];
  const message = { role: "user", content };
  return JSON.stringify({ type: "user", message, timestamp: AT, tool_use_result: details });
}

function finished(over: object): readonly RunnerEvent[] {
  const at = Date.parse(AT);
  const event = { callId: "c-1", tool: "", ok: true, files: [], output: "ok", at } as const;
  return [{ type: "tool_finished", ...event, ...over }];
}

function delta(text: string, tail: string): string {
  return `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(text)}}},"session_id":"s-1",${tail}}`;
}

const TAIL = '"parent_tool_use_id":null,"uuid":"u-1","api_message_id":"m-1"';

runnerContract("claude", () => ({
  runner: createClaudeRunner(),
  command: "/usr/local/bin/claude",
  recorded: {
    whole: { stream: WHOLE_RUN, usage: answers(7) },
    // The tokens of the answer that was cut are paid for, too.
    retry: { stream: read("retry-cut"), usage: answers(2) },
    resume: { stream: read("resume"), usage: answers(2) },
  },
  stream: WHOLE_RUN,
  folded: {
    lines: WHOLE_RUN.trimEnd().split("\n").length,
    toolCallCount: 6,
    lastMessage: "The work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: answers(7),
    costUsd: expect.closeTo(0.0275, 4),
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    reportedModel: "claude-sonnet-4-5",
    lastTool: {
      name: "report_result",
      ok: true,
      output: '{"accepted":true}',
      endedAt: expect.any(Number),
    },
    mcpConnected: true,
    end: { ok: true, text: "The work is done.", durationMs: expect.any(Number), error: null },
  },
  samples: [
    {
      line: '{"type":"system","subtype":"init","session_id":"s-1","model":"m","mcp_servers":[{"name":"kuromajutsu","status":"failed"},{"name":"slow","status":"pending"}]}',
      events: [
        { type: "session", sessionId: "s-1", model: "m" },
        { type: "mcp", server: "kuromajutsu", connected: false },
      ],
    },
    {
      line: '{"type":"system","subtype":"status","status":"requesting"}',
      events: [{ type: "user" }],
    },
    { line: '{"type":"system","subtype":"status","status":"compacting"}', events: [] },
    { line: '{"type":"system","subtype":"task_started"}', events: [] },
    { line: '{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}', events: [] },
    { line: "{}", events: [] },
    { line: "Warning: no stream", events: undefined },
    { line: '["type","result"]', events: undefined },

    { line: delta('やあ "}} \\', TAIL), events: [{ type: "delta", text: 'やあ "}} \\' }] },
    {
      line: delta("old", '"parent_tool_use_id":null,"uuid":"u-1"'),
      events: [{ type: "delta", text: "old" }],
    },
    { line: delta("of a sub-agent", TAIL.replace("null", '"toolu_1"')), events: [] },
    {
      line: '{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}',
      events: [{ type: "message", text: "" }],
    },
    {
      line: '{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"tool_use"}}}',
      events: [],
    },
    {
      line: '{"type":"stream_event","event":{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{"}}}',
      events: [],
    },

    { line: assistant([{ type: "text", text: "Hi" }]), events: [{ type: "message", text: "Hi" }] },
    { line: assistant([{ type: "thinking", thinking: "?" }]), events: [] },
    {
      line: assistant([{ type: "text", text: "Hi" }], { parent_tool_use_id: "toolu_1" }),
      events: [],
    },
    {
      line: assistant([
        { type: "tool_use", id: "c-1", name: "mcp__kuromajutsu__get_notifications", input: {} },
      ]),
      events: [
        { type: "tool_started", callId: "c-1", tool: "get_notifications", at: Date.parse(AT) },
      ],
    },
    {
      line: assistant([{ type: "tool_use", id: "c-1", name: "mcp__other__send", input: {} }]),
      events: [
        { type: "tool_started", callId: "c-1", tool: "mcp__other__send", at: Date.parse(AT) },
      ],
    },
    ...(["file_path", "notebook_path"] as const).map((key) => ({
      line: assistant([
        {
          type: "tool_use",
          id: "c-1",
          name: key === "file_path" ? "Write" : "NotebookEdit",
          input: { [key]: "/w/a" },
        },
      ]),
      events: [
        {
          type: "tool_started",
          callId: "c-1",
          tool: key === "file_path" ? "Write" : "NotebookEdit",
          files: ["/w/a"],
          at: Date.parse(AT),
        },
      ] as const,
    })),

    {
      line: toolResult({}, { type: "update", filePath: "/w/a", originalFile: "x" }),
      events: finished({ files: [{ path: "/w/a", change: "edited" }] }),
    },
    {
      line: toolResult({}, { filePath: "/w/a", originalFile: null }),
      events: finished({ files: [{ path: "/w/a", change: "created" }] }),
    },
    {
      line: toolResult({}, { filePath: "/w/a", originalFile: "" }),
      events: finished({ files: [{ path: "/w/a", change: "unknown" }] }),
    },
    {
      line: toolResult({}, { notebook_path: "/w/a.ipynb", original_file: "{}" }),
      events: finished({ files: [{ path: "/w/a.ipynb", change: "edited" }] }),
    },
    {
      line: toolResult({}, { type: "text", file: { filePath: "/w/read" } }),
      events: finished({}),
    },
    {
      line: toolResult({ is_error: true, content: [{ type: "text", text: "no" }] }, "Error: no"),
      events: finished({ ok: false, output: "no" }),
    },
  ],
}));

function write(id: string, path: string): string {
  const call = { type: "tool_use", id, name: "Write", input: { file_path: path } };
  return assistant([call], { parent_tool_use_id: "toolu_1" });
}

test("a file that a sub-agent of Claude writes is new or edited by the words of the result", () => {
  const created =
    "File created successfully at: /w/made.txt (file state is current in your context)";
  const updated = "The file /w/new (1).txt has been updated successfully.";
  const lines = [
    write("c-1", "/w/made.txt"),
    toolResult({ content: created }),
    write("c-2", "/w/new (1).txt"),
    toolResult({ content: updated, tool_use_id: "c-2" }),
  ];

  const progress = foldAll(`${lines.join("\n")}\n`);

  expect(progress.createdFiles).toEqual(["/w/made.txt"]);
  expect(progress.editedFiles).toEqual(["/w/new (1).txt"]);
});

test("the tool that Claude has finished is named by the line that started it", () => {
  const lines = [
    assistant([{ type: "tool_use", id: "c-1", name: "Bash", input: {} }]),
    toolResult({ is_error: true, content: "exit 1" }),
  ];

  expect(foldAll(`${lines.join("\n")}\n`).lastTool).toMatchObject({ name: "Bash", ok: false });
});

test("isClaudeDelta recognizes every delta of the recorded run, and no other line", () => {
  const runner = createClaudeRunner();
  const lines = WHOLE_RUN.trimEnd().split("\n");

  const recognized = lines.filter((line) =>
    runner.isDelta(Buffer.from(line), 0, Buffer.byteLength(line)),
  );

  expect(recognized).toEqual(lines.filter((line) => runner.parse(line)?.[0]?.type === "delta"));
  expect(recognized.length).toBeGreaterThan(0);
});

test("claude is searched each time on PATH", async () => {
  const runner = createClaudeRunner({ path: () => "/nowhere" });

  expect(await runner.detect()).toBeUndefined();
  expect(await runner.models()).toBeUndefined();
});
