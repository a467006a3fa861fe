import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fakeRunner } from "../../../../test/kit/fake-agent/fake-runner.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { NO_PROGRESS } from "../../../domain/agents/progress.ts";
import { createAgentStream } from "./agent-stream.ts";

function aStream(content: string, parse = fakeRunner.parse) {
  const path = join(aTempDir(), "out");
  let parsed = 0;
  writeFileSync(path, content);
  const stream = createAgentStream({
    path,
    runner: {
      isDelta: fakeRunner.isDelta,
      parse(line) {
        parsed += 1;
        return parse(line);
      },
    },
    progress: NO_PROGRESS,
    maxLineBytes: 1_000_000,
    startedAt: 0,
    workingDirectory: "/",
  });
  onTestFinished(stream.close);
  return { path, stream, parsed: () => parsed };
}

function message(text: string): string {
  return `${JSON.stringify({ type: "message", text })}\n`;
}

function deltas(from: number, to: number): string {
  let text = "";
  for (let n = from; n <= to; n++) text += `${JSON.stringify({ type: "delta", text: `<${n}>` })}\n`;
  return text;
}

test("only the newest of many deltas are parsed, and the preview says that some are missing", () => {
  const { stream, path, parsed } = aStream(message("so: ") + deltas(1, 5_000));

  stream.read(Infinity);
  const first = stream.snapshot(32);
  appendFileSync(path, deltas(5_001, 5_003));
  stream.read(Infinity);
  const second = stream.snapshot(32);

  const newest = Array.from({ length: 32 }, (_, index) => `<${4_969 + index}>`).join("");
  expect(first).toMatchObject({ lines: 5_001, lastMessage: `so:  … ${newest}` });
  expect(second).toMatchObject({ lines: 5_004, lastMessage: `so:  … ${newest}<5001><5002><5003>` });
  expect(parsed()).toBe(1 + 32 + 3);
});

test("deltas that a message follows are never parsed", () => {
  const { stream, parsed } = aStream(deltas(1, 50) + message("done"));

  stream.read(Infinity);

  expect(stream.snapshot(32)).toMatchObject({ lines: 51, lastMessage: "done" });
  expect(parsed()).toBe(1);
});

test("when a runner throws, only that line is lost", () => {
  const { stream } = aStream("boom\n", () => {
    throw new Error("a bug");
  });

  stream.read(Infinity);

  expect(stream.snapshot(32)).toMatchObject({ lines: 1, skippedLines: 1 });
});

test("a tool event without a time gets the time of reading", () => {
  const event = { type: "tool_started", callId: "c", tool: "shell" };
  const before = Date.now();
  const { stream } = aStream(`${JSON.stringify(event)}\n`);

  stream.read(Infinity);

  const [open] = stream.snapshot(32).openTools;
  expect(open).toMatchObject({ name: "shell" });
  expect(open?.startedAt).toBeGreaterThanOrEqual(before);
});

test("a relative path is edited, not created, where the working directory is unknown", () => {
  const files = ["relative", import.meta.filename].map((path) => ({ path, change: "unknown" }));
  const event = { type: "tool_finished", callId: "c", tool: "edit", ok: true, files };
  const { stream } = aStream(`${JSON.stringify(event)}\n`);

  stream.read(Infinity);

  const { editedFiles, createdFiles } = stream.snapshot(32);
  expect({ editedFiles, createdFiles }).toEqual({
    editedFiles: ["relative"],
    createdFiles: [import.meta.filename],
  });
});
