import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { createTranslator } from "./translate.ts";

test("an edit is reported once, with its first title as the tool and its diff as the change", () => {
  const translator = createTranslator();
  const diff = { type: "diff", path: "/srv/a.ts", oldText: "a", newText: "b" } as const;

  const started = translator.events({
    sessionUpdate: "tool_call",
    toolCallId: "c-1",
    title: "edit",
    kind: "edit",
    locations: [{ path: "/srv/a.ts" }],
  });
  const running = translator.events({
    sessionUpdate: "tool_call_update",
    toolCallId: "c-1",
    title: "srv/a.ts",
    status: "in_progress",
  });
  const done = {
    sessionUpdate: "tool_call_update",
    toolCallId: "c-1",
    status: "completed",
  } as const;
  const finished = translator.events({ ...done, content: [diff] });

  expect(started).toEqual([
    { type: "tool_started", callId: "c-1", tool: "edit", files: ["/srv/a.ts"] },
  ]);
  expect(running).toEqual([]);
  expect(finished).toEqual([
    {
      type: "tool_finished",
      callId: "c-1",
      tool: "edit",
      ok: true,
      files: [{ path: "/srv/a.ts", change: "edited" }],
    },
  ]);
  expect(translator.events(done)).toEqual([]);
});

test.each([
  ["edit", "", "unknown"],
  ["edit", null, "unknown"],
  ["delete", "a", "deleted"],
] as const)("a call of the kind %s with the old text %j makes the file %s", (kind, old, change) => {
  const events = createTranslator().events({
    sessionUpdate: "tool_call",
    toolCallId: "c-1",
    title: "Writing to a file",
    kind,
    status: "completed",
    content: [{ type: "diff", path: "/srv/a.ts", oldText: old, newText: "b" }],
  });

  expect(events.at(-1)).toMatchObject({ tool: kind, files: [{ path: "/srv/a.ts", change }] });
});

test.each([
  ["the file was there when the CLI asked", { wasThere: true }, "edited"],
  ["the file was not there when the CLI asked", { wasThere: false }, "created"],
  ["Gemini says that it adds the file", { meta: { kind: "add" } }, "created"],
  [
    "OpenCode says that the file was not there",
    { output: { metadata: { exists: false } } },
    "created",
  ],
] as const)("a write without an old text, when %s: %s makes the file %s", (_, seen, change) => {
  const { wasThere, meta, output } = { wasThere: undefined, meta: {}, output: undefined, ...seen };
  const translator = createTranslator(() => wasThere ?? false);
  const diff = { type: "diff", path: "/srv/a.ts", oldText: "", newText: "b", _meta: meta } as const;
  const call: ToolCallUpdate = {
    toolCallId: "c-1",
    title: "write",
    kind: "edit",
    content: [diff],
  };

  const asked = wasThere === undefined ? [] : translator.asked(call);
  const done = translator.events({
    sessionUpdate: "tool_call_update",
    ...call,
    status: "completed",
    rawOutput: output,
  });

  expect([...asked, ...done].map(({ type }) => type)).toEqual(["tool_started", "tool_finished"]);
  expect(done.at(-1)).toMatchObject({ files: [{ path: "/srv/a.ts", change }] });
});

test("a tool of our MCP server has its plain name, and its answer is the output", () => {
  const translator = createTranslator();
  const events = ["mcp__kuromajutsu__report_result", "report_result (kuromajutsu MCP Server)"].map(
    (title, index) =>
      translator.events({
        sessionUpdate: "tool_call",
        toolCallId: `c-${index}`,
        title,
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "refused" } }],
      }),
  );

  for (const [, finished] of events) {
    expect(finished).toMatchObject({ tool: "report_result", ok: false, output: "refused" });
  }
});
