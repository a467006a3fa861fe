import { expect, test } from "vitest";
import { eventsOf } from "./translate.ts";

const events = (method: string, params: object) => eventsOf(method, { ...params }, "kuro_agent");
const started = (item: object) => events("item/started", { item: { id: "c-1", ...item } });
const completed = (item: object) => events("item/completed", { item: { id: "c-1", ...item } });

test("a patch names its files at its start, and what it did at its end", () => {
  const changes = [
    { path: "/w/a", kind: { type: "add" } },
    { path: "/w/b", kind: { type: "update", move_path: null } },
    { path: "/w/c", kind: { type: "delete" } },
    { path: "/w/d", kind: { type: "update", move_path: "/w/e" } },
    { path: "/w/f", kind: { type: "constructor" } },
    { kind: { type: "add" } },
  ];
  const patch = { type: "fileChange", changes };

  expect(started({ ...patch, startedAtMs: 5 })).toEqual([
    {
      type: "tool_started",
      callId: "c-1",
      tool: "apply_patch",
      files: ["/w/a", "/w/b", "/w/c", "/w/d", "/w/e", "/w/f"],
      at: 5,
    },
  ]);
  expect(completed({ ...patch, status: "completed", completedAtMs: 6 })).toEqual([
    {
      type: "tool_finished",
      callId: "c-1",
      tool: "apply_patch",
      ok: true,
      files: [
        { path: "/w/a", change: "created" },
        { path: "/w/b", change: "edited" },
        { path: "/w/c", change: "deleted" },
        { path: "/w/d", change: "deleted" },
        { path: "/w/e", change: "unknown" },
        { path: "/w/f", change: "unknown" },
      ],
      at: 6,
    },
  ]);
});

test.each([
  [
    { type: "commandExecution", status: "completed", aggregatedOutput: "a\n" },
    "shell",
    true,
    "a\n",
  ],
  [{ type: "commandExecution", status: "declined" }, "shell", false, undefined],
  [{ type: "fileChange", status: "failed", changes: [] }, "apply_patch", false, undefined],
  [{ type: "webSearch", query: "x" }, "web_search", true, undefined],
  [{ type: "collabAgentToolCall", tool: "wait", status: "completed" }, "wait", true, undefined],
  [
    { type: "mcpToolCall", server: "kuro_agent", tool: "list_roles", status: "completed" },
    "list_roles",
    true,
    undefined,
  ],
  [
    {
      type: "mcpToolCall",
      server: "other",
      tool: "read",
      status: "failed",
      error: { message: "refused" },
    },
    "other.read",
    false,
    "refused",
  ],
] as const)("the item %j is a call of %s", (item, tool, ok, output) => {
  expect(completed(item)).toEqual([
    { type: "tool_finished", callId: "c-1", tool, ok, files: [], ...(output && { output }) },
  ]);
});

test("a message replaces its deltas, and the next one does not continue it", () => {
  expect(started({ type: "agentMessage", text: "Hal" })).toEqual([{ type: "message", text: "" }]);
  expect(events("item/agentMessage/delta", { delta: "Hal" })).toEqual([
    { type: "delta", text: "Hal" },
  ]);
  expect(completed({ type: "agentMessage", text: "Half." })).toEqual([
    { type: "message", text: "Half." },
  ]);
});

test("the prompt and a message of a person are different events", () => {
  expect(started({ type: "userMessage", clientId: null, startedAtMs: 5 })).toEqual([
    { type: "user", at: 5 },
  ]);
  expect(started({ type: "userMessage", clientId: "ntf-1" })).toEqual([
    { type: "steered", id: "ntf-1" },
  ]);
});

test.each([
  ["ready", [{ type: "mcp", server: "kuromajutsu", connected: true }]],
  ["failed", [{ type: "mcp", server: "kuromajutsu", connected: false }]],
  ["starting", []],
] as const)("the state %s of our server", (status, expected) => {
  const method = "mcpServer/startupStatus/updated";
  expect(events(method, { name: "kuro_agent", status })).toEqual(expected);
  expect(events(method, { name: "other", status })).toEqual([]);
});

test("an error is a retry only if the CLI tries again", () => {
  const error = { message: "Reconnecting... 1/5", additionalDetails: "status 401" };

  expect(events("error", { error, willRetry: true })).toEqual([
    { type: "retry", reason: "Reconnecting... 1/5 (status 401)" },
  ]);
  expect(events("error", { error, willRetry: false })).toEqual([]);
});

test.each([
  [{ status: "failed", error: { message: "at capacity" } }, "at capacity"],
  [{ status: "failed", error: null }, "The turn failed."],
  [{ status: "interrupted", error: null }, "The turn was interrupted."],
  [{ status: "something new" }, "The turn failed."],
])("the turn %j has failed", (turn, error) => {
  expect(events("turn/completed", { turn })).toEqual([
    { type: "end", ok: false, text: "", durationMs: null, error },
  ]);
});

test("a notification of an unknown method or form gives no event", () => {
  expect(events("something/new", {})).toEqual([]);
  expect(events("item/started", { item: 7 })).toEqual([]);
  expect(events("item/agentMessage/delta", { delta: 7 })).toEqual([]);
  expect(completed({ type: "plan", text: "?" })).toEqual([]);
});
