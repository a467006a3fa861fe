import { expect, test } from "vitest";
import type { Entry } from "./entries.ts";
import { createStreamReader } from "./read-stream.ts";

function read(...events: readonly unknown[]): readonly Entry[] {
  const reader = createStreamReader("");
  reader.push(events.map((event) => (typeof event === "string" ? event : JSON.stringify(event))));
  return reader.entries;
}

function said(text: string, more: Readonly<Record<string, unknown>> = {}) {
  return { type: "assistant", message: { content: [{ type: "text", text }] }, ...more };
}
const piece = (text: string) => said(text, { timestamp_ms: 1 });

function call(subtype: string, body: Readonly<Record<string, unknown>>, at = 1_000) {
  return { type: "tool_call", subtype, call_id: "c1", tool_call: body, timestamp_ms: at };
}

const textsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === "text" ? [entry.text] : []));

test("the stream reader joins deltas, their replay and the final copy into one message", () => {
  const entries = read(
    piece("調べ"),
    piece("ます。"),
    said("調べます。", { timestamp_ms: 2, model_call_id: "m1" }),
    said("調べます。"),
  );
  expect(textsOf(entries)).toEqual(["調べます。"]);
});

test("the stream reader replaces the deltas of a message by a different final copy, and nothing else", () => {
  const entries = read(piece("abc"), "not an event", said("abd", { model_call_id: "m1" }));
  expect(entries.map(({ kind }) => kind)).toEqual(["line", "text"]);
  expect(textsOf(entries)).toEqual(["abd"]);
});

test("the stream reader keeps the same text after a tool call as a new message", () => {
  const entries = read(
    said("はい", { model_call_id: "m1" }),
    call("started", { readToolCall: { args: { path: "/a" } } }),
    said("はい", { model_call_id: "m2" }),
  );
  expect(textsOf(entries)).toEqual(["はい", "はい"]);
});

test("the stream reader makes one entry of a tool call and its answer, with its duration", () => {
  const args = { toolName: "list_roles", providerIdentifier: "kuromajutsu", args: { a: 1 } };
  const success = { content: [{ text: { text: '{"roles":[]}' } }], isError: false };
  const [entry] = read(
    call("started", { mcpToolCall: { args } }),
    call("completed", { mcpToolCall: { args, result: { success } } }, 1_250),
  );
  expect(entry).toMatchObject({
    kind: "tool",
    server: "kuromajutsu",
    tool: "list_roles",
    args: { a: 1 },
    result: { roles: [] },
    state: "ok",
    at: 1_000,
    endedAt: 1_250,
  });
});

test.each([
  { error: { message: "no" } },
  { rejected: { reason: "no" } },
  { success: { content: [], isError: true } },
])("the stream reader takes the answer %j for a failure", (result) => {
  expect(read(call("completed", { shellToolCall: { args: {}, result } }))).toMatchObject([
    { kind: "tool", tool: "shell", state: "failed" },
  ]);
});

test("the stream reader shows the CLI's diff of an edit, and all lines of a written file", () => {
  const edit = { path: "/a", linesAdded: 1, linesRemoved: 2, diffString: "+x" };
  const [edited] = read(
    call("completed", { editToolCall: { args: { path: "/a" }, result: { success: edit } } }),
  );
  expect(edited).toMatchObject({ change: { path: "/a", added: 1, removed: 2, diff: "+x" } });
  const [written] = read(
    call("completed", {
      writeToolCall: { args: { path: "/b", fileText: "1\n2\n" }, result: { success: {} } },
    }),
  );
  expect(written).toMatchObject({ change: { path: "/b", added: 2, diff: "+1\n+2" } });
});

test("the stream reader reads tool calls and answers inside messages", () => {
  const entries = read(
    {
      type: "assistant",
      message: { content: [{ type: "tool_use", id: "t1", name: "Read", input: { path: "/a" } }] },
    },
    {
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "text" }] },
    },
  );
  expect(entries).toMatchObject([
    { kind: "tool", tool: "Read", args: { path: "/a" }, result: "text", state: "ok" },
  ]);
});

test.each(["not json", '"text"', "[1]", '{"type":"never seen"}', '{"type":"assistant"', "null"])(
  "the stream reader keeps the line %j unchanged",
  (line) => {
    expect(read(line)).toMatchObject([{ kind: "line", text: line }]);
  },
);

test.each([
  { type: "assistant", message: 3 },
  { type: "tool_call", subtype: "completed" },
  { type: "user", message: { content: [null, { text: 5 }] } },
  { type: "result" },
])("the stream reader accepts the event %j", (event) => {
  expect(() => read(event)).not.toThrow();
});

test("the stream reader splits ten million characters into rows without losing or splitting a character", () => {
  const text = "長い文です👩‍👩‍👧‍👦\n".repeat(700_000);
  const pieces = textsOf(read(said(text, { model_call_id: "m1" })));
  expect(pieces.join("")).toBe(text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(2_400);
  expect(pieces.some((each) => /[\ud800-\udbff]$/.test(each))).toBe(false);
});

test("the stream reader keeps the same object for a row until it changes", () => {
  const reader = createStreamReader("");
  reader.push([JSON.stringify(said("一つ目", { model_call_id: "m1" }))]);
  const [first] = reader.entries;
  reader.push([JSON.stringify(call("started", { readToolCall: { args: {} } }))]);
  expect(reader.entries[0]).toBe(first);
});
