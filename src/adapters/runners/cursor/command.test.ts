import { expect, test } from "vitest";
import { createCursorRunner } from "./runner.ts";

test("the Cursor command is the documented one, and read-only access uses ask mode", () => {
  const runner = createCursorRunner();
  const request = {
    agentId: "impl-code-1794733200-a3f2",
    model: "claude-4-sonnet",
    prompt: "依頼",
    workingDirectory: "/srv/app",
    runDirectory: "/data/run",
    mcp: null,
  } as const;

  const forced = runner.command({ ...request, access: "read-write" }, "/bin/agent");
  const asking = runner.command({ ...request, access: "read-only" }, "/bin/agent");

  expect(forced.argv.join(" ")).toBe(
    "/bin/agent -p --trust --force --approve-mcps --model claude-4-sonnet --output-format stream-json --stream-partial-output",
  );
  expect(asking.argv.join(" ")).toBe(
    "/bin/agent -p --trust --mode ask --approve-mcps --model claude-4-sonnet --output-format stream-json --stream-partial-output",
  );
});

test.each([
  ["read-write", []],
  ["read-only", ["--mode", "ask"]],
] as const)("a health check of a %s role may call our server and write nothing", (access, mode) => {
  const { argv } = createCursorRunner().command(
    {
      agentId: "health-check-1",
      model: "claude-4-sonnet",
      prompt: "OK?",
      workingDirectory: "/tmp/x",
      access,
      purpose: "health-check",
      runDirectory: "/data/run",
      mcp: null,
    },
    "/bin/agent",
  );

  expect(argv).toEqual([
    "/bin/agent",
    "-p",
    "--trust",
    ...mode,
    "--approve-mcps",
    "--model",
    "claude-4-sonnet",
    "--output-format",
    "stream-json",
    "--stream-partial-output",
  ]);
});
