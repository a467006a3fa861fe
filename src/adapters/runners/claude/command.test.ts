import { expect, test } from "vitest";
import type { RunRequest } from "../../../app/ports/runner.ts";
import { createClaudeRunner } from "./runner.ts";

const REQUEST: RunRequest = {
  agentId: "impl-code-1794733200-a3f2",
  model: "opus",
  prompt: "依頼",
  workingDirectory: "/srv/app",
  access: "read-write",
  runDirectory: "/data/run",
  mcp: {
    name: "kuromajutsu",
    command: ["/usr/bin/node", "/opt/kuromajutsu.js", "mcp"],
    variables: ["KUROMAJUTSU_AGENT_TOKEN"],
  },
};
const START = [
  "/bin/claude",
  "-p",
  "--output-format",
  "stream-json",
  "--verbose",
  "--include-partial-messages",
];
const SERVER =
  '--mcp-config={"mcpServers":{"kuromajutsu":{"type":"stdio","command":"/usr/bin/node","args":["/opt/kuromajutsu.js","mcp"],"env":{"KUROMAJUTSU_AGENT_TOKEN":"${KUROMAJUTSU_AGENT_TOKEN}"},"alwaysLoad":true,"timeout":3600000}}}';

function commandOf(over: Partial<RunRequest>, isRoot = false) {
  return createClaudeRunner({ isRoot }).command({ ...REQUEST, ...over }, "/bin/claude");
}

test("the Claude command of a writing role skips permissions, and has no tool that waits", () => {
  expect(commandOf({}).argv).toEqual([
    ...START,
    "--dangerously-skip-permissions",
    "--disallowedTools=CronCreate,ScheduleWakeup,Monitor",
    "--strict-mcp-config",
    SERVER,
    "--model",
    "opus",
  ]);
});

test("a read-only role of Claude has only tools that read, and those of our server", () => {
  const { argv } = commandOf({ access: "read-only", model: null, resumeSession: "s-1" });

  expect(argv).toEqual([
    ...START,
    "--permission-mode",
    "dontAsk",
    "--tools=Read,Glob,Grep,WebFetch,WebSearch,Task",
    "--allowedTools=Read,Glob,Grep,WebFetch,WebSearch,Task,mcp__kuromajutsu",
    "--strict-mcp-config",
    SERVER,
    "--resume",
    "s-1",
  ]);
});

test.each([
  ["read-write", ["--dangerously-skip-permissions", "--tools="]],
  ["read-only", ["--permission-mode", "dontAsk", "--tools="]],
] as const)(
  "a health check of a %s role of Claude has its mode and no own tools",
  (access, mode) => {
    const { argv, env } = commandOf({ purpose: "health-check", access, mcp: null, model: null });

    expect(argv).toEqual([...START, ...mode, "--strict-mcp-config", "--no-session-persistence"]);
    expect(env).toMatchObject({ CLAUDE_CODE_MAX_RETRIES: "1" });
  },
);

test("a health check of Claude may call our server if it gets one", () => {
  const { argv } = commandOf({ purpose: "health-check", access: "read-only" });

  expect(argv).toContain(SERVER);
  expect(argv).toContain("--allowedTools=mcp__kuromajutsu");
});

test("only as root is Claude told that it is in a sandbox", () => {
  expect(commandOf({}, true).env).toHaveProperty("IS_SANDBOX", "1");
  expect(commandOf({}, false).env).not.toHaveProperty("IS_SANDBOX");
});

test("Claude runs no background task, because it would hold its result back", () => {
  expect(commandOf({}).env).toHaveProperty("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
});
