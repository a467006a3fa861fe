import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fold, runnerContract } from "../../../../test/contract/runner-contract.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { createCodexRunner } from "./runner.ts";

const WHOLE_RUN = read("whole-run");

function read(name: string): string {
  return readFileSync(`test/kit/streams/codex-${name}.ndjson`, "utf8");
}

/** The tokens of a number of answers of the mock LLM. */
function answers(count: number) {
  return {
    inputTokens: 1_000 * count,
    outputTokens: 50 * count,
    cacheReadTokens: 200 * count,
    cacheWriteTokens: 0,
  };
}

function item(type: "item.started" | "item.completed" | "item.updated", fields: object): string {
  return JSON.stringify({ type, item: { id: "item_1", ...fields } });
}

function finished(over: object): readonly RunnerEvent[] {
  const event = { callId: "item_1", tool: "shell", ok: true, files: [] } as const;
  return [{ type: "tool_finished", ...event, ...over }];
}

runnerContract("codex", () => ({
  runner: createCodexRunner({ home: () => "/nowhere" }),
  command: "/usr/local/bin/codex",
  recorded: {
    whole: { stream: WHOLE_RUN, usage: answers(7) },
    retry: { stream: read("retry-cut"), usage: answers(1) },
    resume: { stream: read("resume"), usage: answers(2) },
  },
  stream: WHOLE_RUN,
  folded: {
    lines: 13,
    toolCallCount: 4,
    lastMessage: "The work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: answers(7),
    sessionUsage: answers(7),
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    lastTool: { name: "report_result", ok: true, output: '{"accepted":true}', endedAt: null },
    end: { ok: true, text: "", durationMs: null, error: null },
  },
  samples: [
    {
      line: '{"type":"thread.started","thread_id":"t-1"}',
      events: [{ type: "session", sessionId: "t-1", model: null }],
    },
    { line: '{"type":"turn.started"}', events: [{ type: "user" }] },
    { line: "{}", events: [] },
    { line: "WARNING: proceeding", events: undefined },
    {
      line: item("item.completed", { type: "agent_message", text: "Hi" }),
      events: [{ type: "message", text: "Hi" }],
    },
    { line: item("item.completed", { type: "reasoning", text: "?" }), events: [] },
    { line: item("item.started", { type: "todo_list", items: [] }), events: [] },
    { line: item("item.updated", { type: "todo_list", items: [] }), events: [] },
    // A warning, such as one about a model that the CLI does not know; the turn goes on.
    { line: item("item.completed", { type: "error", message: "Model metadata" }), events: [] },
    {
      line: item("item.started", { type: "command_execution", command: "ls" }),
      events: [{ type: "tool_started", callId: "item_1", tool: "shell" }],
    },
    {
      line: item("item.completed", {
        type: "command_execution",
        aggregated_output: "a\n",
        exit_code: 3,
        status: "failed",
      }),
      events: finished({ ok: false, output: "a\n" }),
    },
    {
      line: item("item.completed", { type: "command_execution", status: "declined" }),
      events: finished({ ok: false }),
    },
    {
      line: item("item.completed", {
        type: "file_change",
        status: "completed",
        changes: [
          { path: "/w/a", kind: "add" },
          { path: "/w/b", kind: "update" },
          { path: "/w/c", kind: "delete" },
          { path: "/w/d", kind: "rename" },
          { kind: "add" },
        ],
      }),
      events: finished({
        tool: "apply_patch",
        files: [
          { path: "/w/a", change: "created" },
          { path: "/w/b", change: "edited" },
          { path: "/w/c", change: "deleted" },
          { path: "/w/d", change: "unknown" },
        ],
      }),
    },
    {
      line: item("item.completed", {
        type: "file_change",
        status: "failed",
        changes: [{ path: "/w/a", kind: "add" }],
      }),
      events: finished({
        tool: "apply_patch",
        ok: false,
        files: [{ path: "/w/a", change: "created" }],
      }),
    },
    ...(
      [
        ["kuromajutsu", "list_roles"],
        ["kuro_agent", "list_roles"],
        ["other", "other.list_roles"],
      ] as const
    ).map(([server, tool]) => ({
      line: item("item.started", { type: "mcp_tool_call", server, tool: "list_roles" }),
      events: [{ type: "tool_started", callId: "item_1", tool }] as const,
    })),
    {
      line: item("item.completed", {
        type: "mcp_tool_call",
        server: "kuromajutsu",
        tool: "report_result",
        result: null,
        error: { message: "refused" },
        status: "failed",
      }),
      events: finished({ tool: "report_result", ok: false, output: "refused" }),
    },
    {
      line: '{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":70,"cache_write_input_tokens":10,"output_tokens":5,"reasoning_output_tokens":2}}',
      events: [
        {
          type: "usage",
          scope: "session",
          usage: { inputTokens: 20, outputTokens: 5, cacheReadTokens: 70, cacheWriteTokens: 10 },
        },
        { type: "end", ok: true, text: "", durationMs: null, error: null },
      ],
    },
    // The turn that fails repeats it.
    { line: '{"type":"error","message":"stream disconnected"}', events: [] },
    {
      line: '{"type":"turn.failed","error":{"message":"stream disconnected"}}',
      events: [
        { type: "end", ok: false, text: "", durationMs: null, error: "stream disconnected" },
      ],
    },
  ],
}));

const HOST = ["/usr/bin/node", "/opt/app/codex-host.js"];
const HOSTED_RUN = read("host-whole-run");

runnerContract("codex through our host", () => ({
  runner: createCodexRunner({ home: () => "/nowhere", host: HOST }),
  command: "/usr/local/bin/codex",
  program: HOST[0],
  recorded: {
    whole: { stream: HOSTED_RUN, usage: answers(7) },
    retry: { stream: read("host-retry-cut"), usage: answers(1) },
    resume: { stream: read("host-resume"), usage: answers(2) },
  },
  stream: HOSTED_RUN,
  folded: {
    lines: 25,
    toolCallCount: 4,
    lastMessage: "The work is done.",
    editedFiles: ["/srv/app/old.txt"],
    createdFiles: ["/srv/app/new.txt"],
    usage: answers(7),
    sessionUsage: answers(7),
    sessionId: expect.stringMatching(/^[\da-f-]{36}$/),
    reportedModel: "gpt-5.5",
    promptSentAt: expect.any(Number),
    mcpConnected: true,
    lastTool: {
      name: "report_result",
      ok: true,
      output: '{"accepted":true}',
      endedAt: expect.any(Number),
    },
    end: { ok: true, text: "The work is done.", durationMs: 1_442, error: null },
  },
  samples: [
    { line: "WARNING: proceeding", events: undefined },
    { line: '{"type":"something_new"}', events: [] },
    { line: '{"type":"steered","id":"ntf-1"}', events: [{ type: "steered", id: "ntf-1" }] },
    {
      line: '{"type":"retry","reason":"Reconnecting... 1/5 (at capacity)"}',
      events: [
        {
          type: "retry",
          reason: "Reconnecting... 1/5 (at capacity)",
          failure: { kind: "overloaded", resetsAt: null },
        },
      ],
    },
    {
      line: '{"type":"end","ok":false,"text":"","durationMs":5,"error":"The turn was interrupted."}',
      events: [
        { type: "end", ok: false, text: "", durationMs: 5, error: "The turn was interrupted." },
      ],
    },
  ],
}));

test("only with our host can a message reach Codex in the middle of a turn", () => {
  expect(createCodexRunner({ host: HOST }).canSteer).toBe(true);
  expect(createCodexRunner().canSteer).toBe(false);
});

test("a run of Codex that was interrupted before its turn ended has no end", () => {
  const lines = WHOLE_RUN.trimEnd().split("\n").slice(0, -1);
  const runner = createCodexRunner({ home: () => "/nowhere" });

  const progress = fold(runner, Buffer.from(`${lines.join("\n")}\n`), { skipsDeltas: true });

  expect(progress.end).toBeNull();
});

test("codex is searched each time on PATH", async () => {
  const runner = createCodexRunner({ path: () => "/nowhere" });

  expect(await runner.detect()).toBeUndefined();
  expect(await runner.models()).toBeUndefined();
});
