import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runnerContract } from "../../../../test/contract/runner-contract.ts";
import { createRehearsalRunner } from "./runner.ts";

const WHOLE_RUN = readFileSync("test/kit/streams/rehearsal-whole-run.ndjson", "utf8");
const COMMAND = [process.execPath, "/opt/app/child.js"];

runnerContract("rehearsal", () => {
  const lines = WHOLE_RUN.trimEnd().split("\n");
  const text =
    "リハーサル: モデル any には尋ねず、手順だけを動かします。\n1 2 3 \n" +
    "リハーサル: KUROMAJUTSU_MCP_URL が無いので、結果は報告しません。\n" +
    "リハーサル: 使用量は指示された値で、実際の消費ではありません。";
  return {
    runner: createRehearsalRunner({ command: COMMAND }),
    command: process.execPath,
    stream: WHOLE_RUN,
    folded: {
      lines: 20,
      skippedLines: 2,
      toolCallCount: 2,
      lastMessage: text,
      editedFiles: [],
      createdFiles: ["/srv/app/new.txt"],
      usage: { inputTokens: 10, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 },
      sessionId: "rehearsal-mwhm8uwt-11666",
      reportedModel: "rehearsal",
      promptSentAt: null,
      openTools: [],
      lastTool: {
        name: "edit",
        ok: true,
        output: "/srv/app/new.txt",
        endedAt: 1_794_733_934_721,
      },
      end: { ok: true, text, durationMs: 4, error: null },
    },
    samples: [
      { line: lines[9] ?? "", events: undefined },
      { line: lines[11] ?? "", events: [{ type: "delta", text: "1 " }] },
    ],
  };
});

test("the rehearsal runner is always available and accepts any model", async () => {
  const runner = createRehearsalRunner({ command: COMMAND });

  expect(await runner.detect()).toEqual({ command: process.execPath });
  expect(await runner.models()).toBeUndefined();
  expect(runner.defaultModel).toBeNull();
});

test("the rehearsal process is started by its absolute path, with the model as an argument", () => {
  const variables = { NODE_COMPILE_CACHE: "/home/hana/.cache/kuromajutsu" };
  const runner = createRehearsalRunner({ command: COMMAND, env: variables });

  const { argv, env } = runner.command(
    {
      agentId: "impl-code-1794733200-a3f2",
      model: "any",
      prompt: "依頼",
      workingDirectory: "/",
      access: "read-write",
      runDirectory: "/data/run",
      mcp: null,
    },
    process.execPath,
  );

  expect(argv).toEqual([process.execPath, "/opt/app/child.js", "--model", "any"]);
  expect(env).toEqual(variables);
});

test("createRehearsalRunner refuses a command that depends on the working directory", () => {
  expect(() => createRehearsalRunner({ command: ["node", "child.js"] })).toThrow("absolute");
  expect(() => createRehearsalRunner({ command: [] })).toThrow("absolute");
});
