import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fold, runnerContract } from "../../../../test/contract/runner-contract.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { createCursorRunner } from "./runner.ts";

const KIT_BIN = resolve("test/kit/bin");
const WHOLE_RUN = readFileSync("test/kit/streams/cursor-whole-run.ndjson", "utf8");
const USAGE = {
  inputTokens: 20_481,
  outputTokens: 512,
  cacheReadTokens: 8_192,
  cacheWriteTokens: 64,
};

function assistant(content: unknown, more: object): string {
  return JSON.stringify({
    type: "assistant",
    message: { role: "assistant", content },
    session_id: "s-1",
    ...more,
  });
}

function toolCall(subtype: string, call: object, callId: unknown = "c-1"): string {
  return JSON.stringify({ type: "tool_call", subtype, call_id: callId, tool_call: call });
}

function started(tool: string, callId = "c-1"): readonly RunnerEvent[] {
  return [{ type: "tool_started", callId, tool }];
}

function finished(
  tool: string,
  ok: boolean,
  paths: readonly string[] = [],
): readonly RunnerEvent[] {
  const files = paths.map((path) => ({ path, change: "unknown" as const }));
  return [{ type: "tool_finished", callId: "c-1", tool, ok, files }];
}

const TEXT = [{ type: "text", text: "やあ \"timestamp_ms\":1} 'model_call_id' \\" }];
const SAID = TEXT[0]?.text ?? "";

runnerContract("cursor", () => ({
  runner: createCursorRunner(),
  command: "/usr/local/bin/agent",
  stream: WHOLE_RUN,
  folded: {
    lines: 26,
    skippedLines: 0,
    toolCallCount: 6,
    lastMessage: 'まず "timestamp_ms" と model_call_id の\n使われ方を調べます 👩‍💻。直しました。',
    editedFiles: ["/srv/app/login.ts"],
    createdFiles: ["/srv/app/new.ts"],
    usage: USAGE,
    sessionId: "7b0c2f4e-9a61-4d0e-8f0f-52f5f1f0a001",
    reportedModel: "Composer 1.5",
    promptSentAt: null,
    openTools: [],
    lastTool: {
      name: "report_result",
      ok: true,
      output: '{"registered":true}',
      endedAt: 1_794_733_200_133,
    },
    end: {
      ok: true,
      text: 'まず "timestamp_ms" と model_call_id の\n使われ方を調べます 👩‍💻。直しました。',
      durationMs: 8_123,
      error: null,
    },
  },
  samples: [
    {
      line: '{"type":"system","subtype":"init","session_id":"s-1","model":"Auto"}',
      events: [{ type: "session", sessionId: "s-1", model: "Auto" }],
    },
    {
      line: '{"type":"system","subtype":"init","session_id":"s-1"}',
      events: [{ type: "session", sessionId: "s-1", model: null }],
    },
    { line: '{"type":"system","subtype":"other","session_id":"s-1"}', events: [] },
    {
      line: "⚠ Workspace Trust Required",
      events: [
        {
          type: "end",
          ok: false,
          text: "",
          durationMs: null,
          error:
            "Cursor does not trust the working directory. Update the Cursor CLI, or run `agent` there once and answer its question.",
          failure: { kind: "directory-not-trusted", resetsAt: null },
        },
      ],
    },
    { line: '{"type":"user","message":{"role":"user","content":[]}}', events: [{ type: "user" }] },
    { line: '{"type":"user","timestamp_ms":5}', events: [{ type: "user", at: 5 }] },
    {
      line: '{"type":"tool_call","subtype":"started","call_id":"c-1","tool_call":{"readToolCall":{}},"timestamp_ms":6}',
      events: [{ type: "tool_started", callId: "c-1", tool: "read", at: 6 }],
    },
    ...(
      [
        [{ success: { content: "# README" } }, true, "# README"],
        [{ success: { stdout: "ok\n", exitCode: 0 } }, true, "ok\n"],
        [{ success: { content: [{ text: "a" }, { text: { text: "b" } }] } }, true, "a\nb"],
        [{ success: { matches: 3 } }, true, '{"matches":3}'],
        [{ error: { message: "no such file" } }, false, "no such file"],
        [{ error: "denied" }, false, "denied"],
        [{ rejected: { reason: "not allowed" } }, false, "not allowed"],
      ] as const
    ).map(([result, ok, output]) => ({
      line: toolCall("completed", { readToolCall: { args: {}, result } }),
      events: [
        { type: "tool_finished", callId: "c-1", tool: "read", ok, files: [], output },
      ] as const,
    })),
    { line: '{"type":"thinking","subtype":"delta","text":"?","timestamp_ms":1}', events: [] },
    { line: '{"type":"something_new","data":{}}', events: [] },
    { line: "{}", events: [] },
    {
      line: "Error: not logged in",
      events: [
        {
          type: "end",
          ok: false,
          text: "",
          durationMs: null,
          error: "Cursor is not signed in. Run `agent login`, or set CURSOR_API_KEY.",
          failure: { kind: "signed-out", resetsAt: null },
        },
      ],
    },
    { line: "Loading settings…", events: undefined },
    { line: '["type","result"]', events: undefined },

    { line: assistant(TEXT, { timestamp_ms: 1 }), events: [{ type: "delta", text: SAID }] },
    {
      line: assistant([{ type: "text", text: " " }], { timestamp_ms: 1 }),
      events: [{ type: "delta", text: " " }],
    },
    {
      line: assistant([{ type: "text", text: "" }], { timestamp_ms: 1 }),
      events: [{ type: "delta", text: "" }],
    },
    {
      line: assistant(TEXT, { model_call_id: "m-1", timestamp_ms: 1 }),
      events: [{ type: "message", text: SAID }],
    },
    {
      line: assistant(TEXT, { timestamp_ms: 1, model_call_id: "m-1" }),
      events: [{ type: "message", text: SAID }],
    },
    { line: assistant(TEXT, {}), events: [{ type: "message", text: SAID }] },
    {
      line: assistant([...TEXT, { type: "image" }, { type: "text", text: "!" }], {}),
      events: [{ type: "message", text: `${SAID}!` }],
    },
    { line: assistant("plain", {}), events: [{ type: "message", text: "plain" }] },
    { line: assistant([{ type: "image" }], { timestamp_ms: 1 }), events: [] },

    {
      line: toolCall("started", { shellToolCall: { args: {} } }, "c-1\nfc-1"),
      events: started("shell", "c-1\nfc-1"),
    },
    { line: toolCall("started", { function: { name: "grep" } }), events: started("grep") },
    {
      line: toolCall("started", { mcpToolCall: { args: { toolName: "list_roles", name: "a-b" } } }),
      events: started("list_roles"),
    },
    {
      line: toolCall("started", { mcpToolCall: { args: { name: "kuro-list_roles" } } }),
      events: started("list_roles"),
    },
    {
      line: toolCall("started", {
        mcpToolCall: { args: { name: "my-kuro-list_roles", serverIdentifier: "my-kuro" } },
      }),
      events: started("list_roles"),
    },
    { line: toolCall("started", {}), events: started("unknown") },
    {
      line: toolCall("completed", {
        writeToolCall: { args: { path: "a" }, result: { success: { path: "/w/a" } } },
      }),
      events: [
        {
          type: "tool_finished",
          callId: "c-1",
          tool: "write",
          ok: true,
          files: [{ path: "/w/a", change: "unknown" }],
          output: "/w/a",
        },
      ],
    },
    {
      line: toolCall("completed", {
        editToolCall: { args: { path: "/w/a" }, result: { success: {} } },
      }),
      events: finished("edit", true, ["/w/a"]),
    },
    {
      line: toolCall("completed", {
        writeToolCall: { args: { path: "/w/a" }, result: { rejected: {} } },
      }),
      events: finished("write", false, ["/w/a"]),
    },
    {
      line: toolCall("completed", {
        mcpToolCall: {
          args: { toolName: "t" },
          result: { success: { content: [], isError: true } },
        },
      }),
      events: finished("t", false),
    },
    {
      line: toolCall("completed", {
        readToolCall: { args: { path: "/w/a" }, result: { success: {} } },
      }),
      events: finished("read", true),
    },
    { line: toolCall("completed", { shellToolCall: {} }), events: finished("shell", false) },
    { line: toolCall("paused", { shellToolCall: {} }), events: [] },

    {
      line: '{"type":"result","subtype":"success","is_error":false,"duration_ms":9,"result":"ok","usage":{"inputTokens":1,"outputTokens":-2,"cacheReadTokens":"3"}}',
      events: [
        {
          type: "usage",
          scope: "run",
          usage: { inputTokens: 1, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
        { type: "end", ok: true, text: "ok", durationMs: 9, error: null },
      ],
    },
    {
      line: '{"type":"result","subtype":"success","is_error":true,"result":"401"}',
      events: [{ type: "end", ok: false, text: "401", durationMs: null, error: "401" }],
    },
    {
      line: '{"type":"result","subtype":"success","is_error":"yes","error":{"message":"quota"}}',
      events: [{ type: "end", ok: false, text: "", durationMs: null, error: "quota" }],
    },
    {
      line: '{"type":"result","subtype":"error_max_turns","is_error":false}',
      events: [
        {
          type: "end",
          ok: false,
          text: "",
          durationMs: null,
          error: "The CLI ended with error_max_turns.",
        },
      ],
    },
  ],
}));

test("isCursorDelta recognizes every delta of the recorded run, and no other line", () => {
  const runner = createCursorRunner();
  const lines = WHOLE_RUN.trimEnd().split("\n");

  const recognized = lines.filter((line) =>
    runner.isDelta(Buffer.from(line), 0, Buffer.byteLength(line)),
  );

  expect(recognized).toEqual(lines.filter((line) => runner.parse(line)?.[0]?.type === "delta"));
  expect(recognized).toHaveLength(6);
});

test("the Cursor CLI is searched each time, as agent or cursor-agent", async () => {
  let path: string | undefined = "/nowhere";
  const runner = createCursorRunner({ path: () => path });

  expect(await runner.detect()).toBeUndefined();
  expect(await runner.models()).toBeUndefined();
  path = `/nowhere:${KIT_BIN}`;
  expect(await runner.detect()).toEqual({ command: resolve(KIT_BIN, "agent") });
});

test("a run of the stand-in CLI is parsed from start to end", async () => {
  const runner = createCursorRunner({ path: () => KIT_BIN });
  const found = await runner.detect();
  const { argv, stdin } = runner.command(
    {
      agentId: "impl-code-1794733200-a3f2",
      model: "claude-4-sonnet",
      prompt: "x".repeat(300_000),
      workingDirectory: "/srv/app",
      access: "read-write",
      runDirectory: "/data/run",
      mcp: null,
    },
    found?.command ?? "",
  );

  const child = spawn(argv[0] ?? "", argv.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(stdin);
  const progress = fold(runner, Buffer.from(await text(child.stdout)), { skipsDeltas: true });

  expect(progress).toMatchObject({
    skippedLines: 0,
    toolCallCount: 1,
    reportedModel: "claude-4-sonnet",
    end: { ok: true, text: "台本どおり完了" },
  });
});
