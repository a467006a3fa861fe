import { expect, test } from "vitest";
import { MAX_MESSAGE_CHARS, NO_PROGRESS, observe, type AgentProgress } from "./progress.ts";
import type { RunnerEvent } from "./runner.ts";

function fold(
  events: readonly RunnerEvent[],
  isNew: (path: string) => boolean = () => false,
): AgentProgress {
  return events.reduce((progress, event) => observe(progress, event, isNew), NO_PROGRESS);
}

test("deltas make up the message until the whole of it replaces them", () => {
  const events: RunnerEvent[] = [
    { type: "delta", text: "書い" },
    { type: "delta", text: "て " },
  ];

  expect(fold(events).lastMessage).toBe("書いて ");
  expect(fold([...events, { type: "message", text: "書いています" }]).lastMessage).toBe(
    "書いています",
  );
});

test("a long message keeps its end, never half a character", () => {
  const { lastMessage } = fold([{ type: "message", text: "🧙".repeat(MAX_MESSAGE_CHARS) }]);

  expect(lastMessage.length).toBeLessThanOrEqual(MAX_MESSAGE_CHARS);
  expect(lastMessage.replaceAll("🧙", "")).toBe("");
});

const write = (path: string): RunnerEvent => ({
  type: "tool_finished",
  callId: "c",
  tool: "write",
  ok: true,
  files: [path],
});

test("tool calls are counted when they start; files count once, new ones as created", () => {
  const progress = fold(
    [
      { type: "tool_started", callId: "c", tool: "write" },
      write("old.ts"),
      write("new.ts"),
      write("new.ts"),
      { type: "tool_finished", callId: "d", tool: "write", ok: false, files: ["failed.ts"] },
    ],
    (path) => path === "new.ts",
  );

  expect(progress).toMatchObject({
    toolCallCount: 1,
    editedFiles: ["old.ts"],
    createdFiles: ["new.ts"],
  });
});

test("the end keeps the final text, and an empty one does not wipe the last message", () => {
  const end: RunnerEvent = { type: "end", ok: true, text: "", durationMs: 5, error: null };

  expect(fold([{ type: "message", text: "最後" }, end])).toMatchObject({
    lastMessage: "最後",
    end: { ok: true, text: "" },
  });
});
